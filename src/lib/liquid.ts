import type { Liquid } from "liquidjs";

/** A Liquid engine whose templates reach neither files nor prototypes, and end. The library is loaded with the first. */
export async function createLiquid(): Promise<Liquid> {
  const { Liquid: Engine } = await import("liquidjs");
  const engine = new Engine({
    ownPropertyOnly: true,
    strictFilters: true,
    templates: {},
    parseLimit: 1e6,
    renderLimit: 1_000,
    memoryLimit: 1e8,
  });
  for (const tag of ["include", "render", "layout", "block"]) delete engine.tags[tag];
  return engine;
}
