import { buildApp } from "./build-app.ts";

/** Builds the page of reports and of the viewer alone: tests without a process need nothing else of dist/. */
await buildApp();
