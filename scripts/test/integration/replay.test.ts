import { once } from "node:events";
import { createServer } from "node:http";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type LocalSandbox, openLocalSandbox } from "./local-sandbox.js";

const LIMIT_MS = 60_000;

let local: LocalSandbox;
beforeAll(async () => {
  local = await openLocalSandbox();
}, LIMIT_MS);
afterAll(() => local.close());

it(
  "npm run replay fails with a one-line error if it loses its connection, and shows the same replay when run again with the printed key",
  async () => {
    expect(await local.start("trigger.mjs", ["pos.order.paid"]).exited()).toBe(0);
    // Responds to nothing, so the replay keeps running.
    const receiver = createServer(() => undefined).listen(0, "127.0.0.1");
    await once(receiver, "listening");
    const bound = receiver.address();
    const address = `http://127.0.0.1:${typeof bound === "object" && bound !== null ? bound.port : 0}/`;
    try {
      const first = local.start("replay.mjs", [address]);
      await first.waitForOutput(/running: 0 of \d+ sent/);
      await local.disconnect();
      expect(await first.exited()).toBe(1);
      const line =
        /^The connection to the API was lost \(.*\)\. Run the command again with --key (\S+) to see the progress of this replay without starting another\.$/;
      const [, key = ""] = line.exec(first.error().trim()) ?? [first.error()];
      expect(key).not.toBe("");
      await local.reconnect();
      const second = local.start("replay.mjs", [address, "--key", key]);
      await second.waitForOutput("running: ");
      const idOf = (output: string) => /^Replay ID: (\S+)$/m.exec(output)?.[1];
      expect(idOf(second.out())).toBe(idOf(first.out()));
      await second.interrupt();
    } finally {
      receiver.closeAllConnections();
      receiver.close();
    }
  },
  LIMIT_MS,
);
