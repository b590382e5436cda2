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

/** Starts a listener and waits until it receives notifications. */
async function startListening(directUrl = sandbox.url, checks = {}): Promise<Listener> {
  const started = startListener({ directUrl, log, ...checks });
  listener = started;
  let wasNotified = false;
  const end = started.onAnyChange(() => {
    wasNotified = true;
  });
  await waitUntil("the listener is connected, which counts as a change of everything", () => wasNotified);
  end();
  return started;
}

describe("the listener", () => {
  it("notifies only the subscribers to a changed order and to all changes", async () => {
    const { subscribe, onAnyChange } = await startListening();
    const received: string[] = [];
    subscribe("ord_1", () => received.push("first watcher"));
    subscribe("ord_1", () => received.push("second watcher"));
    subscribe("ord_2", () => received.push("other order"));
    const end = subscribe("ord_1", () => received.push("gone watcher"));
    onAnyChange(() => received.push("anything"));
    end();
    changes.notify("ord_1");
    await waitUntil("the notifications arrive", () => received.length >= 3);
    expect(received.sort()).toEqual(["anything", "first watcher", "second watcher"]);
  });

  it("receives thousands of changes in one burst", async () => {
    const { subscribe } = await startListening();
    const ids = Array.from({ length: 3_000 }, (_, n) => `ord_${String(n).padStart(24, "0")}`);
    const received = new Set<string>();
    for (const id of ids) subscribe(id, () => received.add(id));
    for (const id of ids) changes.notify(id);
    await waitUntil("all notifications arrive", () => received.size === ids.length);
  });

  it("notifies the other subscribers even if one subscriber throws", async () => {
    const { subscribe } = await startListening();
    let wasNotified = false;
    subscribe("ord_1", () => {
      throw new Error("a broken watcher");
    });
    subscribe("ord_1", () => {
      wasNotified = true;
    });
    changes.notify("ord_1");
    await waitUntil("the other subscriber is notified", () => wasNotified);
  });

  it("reconnects after a lost connection, treats everything as changed, and continues to receive", async () => {
    const { subscribe } = await startListening();
    let notifications = 0;
    subscribe("ord_1", () => {
      notifications += 1;
    });
    await sandbox.executeAsSuperuser(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'tillgate listener'`,
    );
    await waitUntil("the reconnection counts as a change", () => notifications === 1);
    changes.notify("ord_1");
    await waitUntil("notifications arrive again", () => notifications === 2);
  });

  it("reconnects if its open connection stops responding", async () => {
    const proxy = await startDatabaseProxy(sandbox.url);
    try {
      const { onAnyChange } = await startListening(proxy.url, { checkEveryMs: 50, checkTimeoutMs: 200 });
      let notifications = 0;
      onAnyChange(() => {
        notifications += 1;
      });
      proxy.freezeConnections();
      await waitUntil("the listener has reconnected", () => notifications === 1 && proxy.connections === 2);
    } finally {
      await listener?.close();
      await proxy.close();
    }
  });
});
