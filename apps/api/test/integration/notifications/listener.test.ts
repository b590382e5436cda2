import { pino } from "pino";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type ChangeNotifier, createChangeNotifier } from "../../../src/platform/change-notifier.js";
import { type Listener, startListener } from "../../../src/platform/listener.js";
import { startDatabaseProxy } from "../../support/database-proxy.js";
import { waitUntil } from "../../support/wait-until.js";
import { openSandbox, type Sandbox } from "../outbox/support/sandbox.js";

const log = pino({ level: "silent" });
let sandbox: Sandbox;
let listener: Listener | undefined;
let changes: ChangeNotifier;

beforeAll(async () => {
  sandbox = await openSandbox();
  changes = createChangeNotifier({ pool: sandbox.database.pool, log });
});
afterEach(async () => {
  await listener?.close();
  listener = undefined;
});
afterAll(async () => {
  await changes.close();
  await sandbox.drop();
});

/** Starts a listener and waits until it receives. */
async function startListening(directUrl = sandbox.url, checks = {}): Promise<Listener> {
  const started = startListener({ directUrl, log, ...checks });
  listener = started;
  let heard = false;
  const end = started.onAnyChange(() => {
    heard = true;
  });
  await waitUntil("it is connected, which counts as everything changed", () => heard);
  end();
  return started;
}

describe("the listener", () => {
  it("wakes the watchers of a changed order and of all changes only", async () => {
    const { subscribe, onAnyChange } = await startListening();
    const heard: string[] = [];
    subscribe("ord_1", () => heard.push("first watcher"));
    subscribe("ord_1", () => heard.push("second watcher"));
    subscribe("ord_2", () => heard.push("other order"));
    const end = subscribe("ord_1", () => heard.push("gone watcher"));
    onAnyChange(() => heard.push("anything"));
    end();
    changes.notify("ord_1");
    await waitUntil("it is heard", () => heard.length >= 3);
    expect(heard.sort()).toEqual(["anything", "first watcher", "second watcher"]);
  });

  it("receives thousands of changes notified together", async () => {
    const { subscribe } = await startListening();
    const ids = Array.from({ length: 3_000 }, (_, n) => `ord_${String(n).padStart(24, "0")}`);
    const heard = new Set<string>();
    for (const id of ids) subscribe(id, () => heard.add(id));
    for (const id of ids) changes.notify(id);
    await waitUntil("all are heard", () => heard.size === ids.length);
  });

  it("isolates a watcher that throws", async () => {
    const { subscribe } = await startListening();
    let heard = false;
    subscribe("ord_1", () => {
      throw new Error("a broken watcher");
    });
    subscribe("ord_1", () => {
      heard = true;
    });
    changes.notify("ord_1");
    await waitUntil("the other is woken", () => heard);
  });

  it("reconnects after a lost connection, treats everything as changed, then receives again", async () => {
    const { subscribe } = await startListening();
    let heard = 0;
    subscribe("ord_1", () => {
      heard += 1;
    });
    await sandbox.endConnections("tillgate listener");
    await waitUntil("the reconnect counts as a change", () => heard === 1);
    changes.notify("ord_1");
    await waitUntil("changes are heard again", () => heard === 2);
  });

  it("detects a dead open connection and reconnects", async () => {
    const proxy = await startDatabaseProxy(sandbox.url);
    try {
      const { onAnyChange } = await startListening(proxy.url, { checkEveryMs: 50, checkTimeoutMs: 200 });
      let heard = 0;
      onAnyChange(() => {
        heard += 1;
      });
      proxy.freezeConnections();
      await waitUntil("it has reconnected", () => heard === 1 && proxy.connections === 2);
    } finally {
      await listener?.close();
      await proxy.close();
    }
  });
});
