import { setTimeout } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { freePort, hasNginx, startNginx } from "./nginx.ts";
import { record, type Received, type Reply, type Service, startService } from "./service.ts";
import { ends, prompts, runAt, Tandem } from "./tandem.ts";

const rows = 120;
const concurrency = 4;

/** A service behind nginx, and how it is stopped and started there. */
class Upstream {
  readonly port: number;
  received: Received[] = [];
  #service: Service | null = null;

  constructor(port: number) {
    this.port = port;
  }

  async start(
    answer: (received: Received) => Reply = ({ prompt }) => ({ ...record(prompt), delayMs: 20 }),
  ): Promise<void> {
    this.#service = await startService((received) => {
      this.received.push(received);
      return answer(received);
    }, this.port);
  }

  async stop(): Promise<void> {
    await this.#service?.close();
  }

  /** Resolves when it has received so many requests. */
  async reached(count: number): Promise<void> {
    while (this.received.length < count) await setTimeout(5);
  }
}

describe.skipIf(!hasNginx)("an upstream behind a real nginx", { timeout: 120_000 }, () => {
  const locations: [string, string, string][] = [
    ["502", "502", ""],
    ["503", "503", "error_page 502 = @away;"],
    ["503 with Retry-After", "503", "error_page 502 = @later;"],
  ];

  describe.each(locations)("that answers %s while it is away", (name, status, location) => {
    const isOutage = !name.includes("Retry-After");

    test("is stopped and started again in the middle: every row is answered", async () => {
      const upstream = new Upstream(await freePort());
      await upstream.start();
      const nginx = await startNginx(upstream.port, { location });
      const tandem = new Tandem().file("p.csv", prompts(rows));
      const { ended } = tandem.begin(...runAt({ prod: nginx }, "--concurrency", String(concurrency)));
      await upstream.reached(40);
      await upstream.stop();
      await setTimeout(5_000);
      await upstream.start();
      const { code, err, out } = await ended;
      expect(code, err).toBe(0);
      expect(ends(tandem)).toEqual({ ok: rows });
      const away = nginx.statuses().filter((each) => each !== 200);
      expect(nginx.statuses().filter((each) => each === 200)).toHaveLength(rows);
      // Requests in flight when it went away get a 502 of nginx's own, and what is in their place the same.
      if (isOutage) expect(away.length).toBeLessThanOrEqual(concurrency + 1 + 6);
      expect(out.includes("prod was down")).toBe(isOutage);
      expect(away).toContain(Number(status));
    });

    test("is away at the start: nobody's rows are lost", async () => {
      const upstream = new Upstream(await freePort());
      const nginx = await startNginx(upstream.port, { location });
      const tandem = new Tandem().file("p.csv", prompts(rows));
      if (isOutage) {
        const { code, out, err } = await tandem.run(...runAt({ prod: nginx }));
        expect(code).toBe(3);
        expect(`${out}${err}`).toContain("Stopped after one row: prod");
        expect(nginx.statuses()).toEqual(Array(5).fill(Number(status)));
        await upstream.start();
        expect((await tandem.run("resume")).code).toBe(0);
      } else {
        const { ended } = tandem.begin(...runAt({ prod: nginx }));
        await setTimeout(4_000);
        await upstream.start();
        expect((await ended).code).toBe(0);
      }
      expect(ends(tandem)).toEqual({ ok: rows });
      expect(upstream.received).toHaveLength(rows);
    });

    test("goes away before the last rows, and comes back", async () => {
      const upstream = new Upstream(await freePort());
      await upstream.start();
      const nginx = await startNginx(upstream.port, { location });
      const tandem = new Tandem().file("p.csv", prompts(rows));
      const { ended } = tandem.begin(...runAt({ prod: nginx }, "--concurrency", String(concurrency)));
      await upstream.reached(rows - 2);
      await upstream.stop();
      await setTimeout(4_000);
      await upstream.start();
      const { code, err } = await ended;
      expect(code, err).toBe(0);
      expect(ends(tandem)).toEqual({ ok: rows });
    });
  });

  test("that hangs is answered 504, and waited for", async () => {
    const upstream = new Upstream(await freePort());
    await upstream.start();
    const nginx = await startNginx(upstream.port);
    const tandem = new Tandem().file("p.csv", prompts(rows));
    const { ended } = tandem.begin(...runAt({ prod: nginx }, "--concurrency", String(concurrency)));
    await upstream.reached(40);
    await upstream.stop();
    await upstream.start(() => ({ act: "hang" }));
    await setTimeout(6_000);
    await upstream.stop();
    await upstream.start();
    const { code, err } = await ended;
    expect(code, err).toBe(0);
    expect(ends(tandem)).toEqual({ ok: rows });
    expect(nginx.statuses()).toContain(504);
    expect(nginx.statuses().filter((each) => each !== 200).length).toBeLessThanOrEqual(2 * concurrency + 1 + 6);
  });

  test("is away while the run is killed: a resume waits for it, and nothing that was answered is sent again", async () => {
    const upstream = new Upstream(await freePort());
    await upstream.start();
    const nginx = await startNginx(upstream.port);
    const tandem = new Tandem().file("p.csv", prompts(rows));
    const { child, ended } = tandem.start(...runAt({ prod: nginx }, "--concurrency", String(concurrency)));
    await upstream.reached(40);
    await upstream.stop();
    while (nginx.statuses().filter((each) => each !== 200).length < 7) await setTimeout(20);
    child.kill("SIGKILL");
    await ended;
    const [answered] = tandem.query<{ n: number }>("SELECT count(*) AS n FROM job WHERE outcome = 'ok'");
    const { ended: resumed } = tandem.begin("resume");
    await setTimeout(3_000);
    await upstream.start();
    const { code, err } = await resumed;
    expect(code, err).toBe(0);
    expect(ends(tandem)).toEqual({ ok: rows });
    // Requests in flight at the kill or when the service went away may have been received.
    const again = upstream.received.length - rows;
    expect(again).toBeLessThanOrEqual(2 * concurrency);
    expect(answered?.n).toBeGreaterThanOrEqual(35);
  });
});
