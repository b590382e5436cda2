import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { defaultEventNames } from "@tillgate/contract";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type LocalSandbox, openLocalSandbox } from "./local-sandbox.js";

/** A trigger spawns several admin commands. */
const LIMIT_MS = 60_000;

let local: LocalSandbox;
beforeAll(async () => {
  local = await openLocalSandbox();
});
afterAll(() => local.close());

/** Reads the settings of administrators, which a trigger must restore. */
async function settings(): Promise<unknown> {
  const { prisma } = local.sandbox.database;
  return [
    await prisma.merchant.findMany({ orderBy: { id: "asc" } }),
    await prisma.payoutTerms.findMany({
      orderBy: [{ merchantId: "asc" }, { mode: "asc" }, { currency: "asc" }],
    }),
  ];
}

/** Runs a trigger that must succeed. @returns the names of the events it created, in order. */
async function trigger(...args: string[]): Promise<string[]> {
  const { event } = local.sandbox.database.prisma;
  const earlier = await event.count();
  const script = local.start("trigger.mjs", args);
  expect({ exit: await script.exited(), error: script.error() }).toEqual({ exit: 0, error: "" });
  const events = await event.findMany({ orderBy: { number: "asc" }, skip: earlier });
  return events.map(({ name }) => name);
}

it.each([
  ["pos.order.paid", ["pos.order.paid"]],
  ["pos.order.expired", ["pos.order.expired"]],
  ["pos.order.cancelled", ["pos.order.cancelled"]],
  ["pos.order.refunded", ["pos.order.paid", "refund.completed", "pos.order.refunded"]],
  ["refund.completed", ["pos.order.paid", "refund.completed"]],
  ["refund.failed", ["pos.order.paid", "refund.failed"]],
  ["payout.completed", ["payout.completed"]],
  ["payout.failed", ["payout.failed"]],
])(
  "npm run trigger -- %s triggers the event and leaves merchants and payout terms unchanged",
  async (name, expected) => {
    const before = await settings();
    expect((await trigger(name)).sort()).toEqual([...expected].sort());
    expect(await settings()).toEqual(before);
  },
  LIMIT_MS,
);

it("npm run trigger adds a test condition for the next webhooks and clears it", async () => {
  const controls = () =>
    local.sandbox.database.prisma.testControl.findMany({ where: { remaining: { gt: 0 } } });
  expect(await trigger("delivery_twice", "--count", "2")).toEqual([]);
  expect(await controls()).toMatchObject([{ control: "delivery_twice", remaining: 2, seconds: 30 }]);
  await trigger("clear");
  expect(await controls()).toEqual([]);
});

it.each([
  [
    ["trigger.mjs", "delivery_twice", "--count", "abc"],
    /^--count must be a whole number from 1 to 100, not "abc"\.$/,
  ],
  [["trigger.mjs", "delivery_late", "--seconds", "601"], /^--seconds must be a whole number from 1 to 600/],
  [["replay.mjs", "http://127.0.0.1:1024/", "--to", "2026-02-30T00:00:00Z"], /^--to must be a time/],
  [
    [
      "replay.mjs",
      "http://127.0.0.1:1024/",
      "--from",
      "2026-11-02T00:00:00Z",
      "--to",
      "2026-11-01T00:00:00Z",
    ],
    /^--to must be later than --from\.$/,
  ],
])(
  "%j reports an invalid option with a one-line error and adds no test condition",
  async ([name = "", ...args], message) => {
    const { testControl } = local.sandbox.database.prisma;
    const before = await testControl.count();
    const script = local.start(name, args);
    expect(await script.exited()).toBe(1);
    expect(script.error().trim()).toMatch(message);
    expect(script.error().trim().split("\n")).toHaveLength(1);
    expect(await testControl.count()).toBe(before);
  },
);

it("npm run trigger lists exactly the events of orders, refunds and payouts", async () => {
  const script = local.start("trigger.mjs", ["--list"]);
  expect(await script.exited()).toBe(0);
  const listed = [...script.out().matchAll(/^ {2}([a-z.]+) /gm)].map(([, name]) => name);
  expect(listed.sort()).toEqual([...defaultEventNames].sort());
});

it(
  "npm run trigger uses the given callback URL and merchant",
  async () => {
    const { other_merchant: other } = local.sandbox.access;
    const address = "http://127.0.0.1:1024/hook";
    await trigger("pos.order.cancelled", "--merchant", other.name, "--callback-url", address);
    const order = await local.sandbox.database.prisma.order.findFirstOrThrow({
      orderBy: { createdAt: "desc" },
      include: { merchant: true },
    });
    expect([order.callbackUrl, order.merchant.name]).toEqual([address, other.name]);
  },
  LIMIT_MS,
);

it("npm run replay prints event counts, with --dry-run nothing else, and shows the same replay when run again with the same key", async () => {
  const replay = async (...args: string[]) => {
    const script = local.start("replay.mjs", args);
    expect({ exit: await script.exited(), error: script.error() }).toEqual({ exit: 0, error: "" });
    return script.out();
  };
  const address = "http://127.0.0.1:1024/hook";
  expect(await replay(address, "--events", "pos.order.expired", "--dry-run")).toMatch(
    /^.+, sandbox events: 1\n {2}pos\.order\.expired +1\n$/,
  );
  const empty = await replay(address, "--to", "2020-01-01T00:00:00Z", "--key", "none");
  expect(empty).toMatch(/^.+, sandbox events: 0\nReplay ID: [\w-]+\ncompleted: 0 of 0 sent, 0 failed\n$/);
  expect(await replay(address, "--to", "2020-01-01T00:00:00Z", "--key", "none")).toBe(empty);
  const unclear = local.start("replay.mjs", []);
  expect(await unclear.exited()).toBe(1);
  expect(unclear.error()).toContain("Specify either one URL or --endpoint");
});

it.each([
  [["pos.order.made"], {}, "Specify one of these events:"],
  [["toString"], {}, "Specify one of these events:"],
  [["pos.order.paid", "--merchant", "Nobody"], {}, "Unknown merchant: Nobody"],
  [["pos.order.paid"], { TILLGATE_DATA_DIR: "/nonexistent" }, "No sandbox found. Run npm start."],
  [["--wrong"], {}, "see --help for usage"],
])("npm run trigger reports an error and exits with status 1 for %j", async (args, environment, message) => {
  const script = local.start("trigger.mjs", args, environment);
  expect(await script.exited()).toBe(1);
  expect(script.error()).toContain(message);
  expect(script.error()).not.toContain("    at ");
});

it("npm run trigger reports a sandbox that is not reachable", async () => {
  await local.disconnect();
  const script = local.start("trigger.mjs", ["pos.order.cancelled"]);
  expect(await script.exited()).toBe(1);
  expect(script.error()).toMatch(/^The API is not reachable .+ Is npm start running\?\n$/);
  await local.reconnect();
});

it("npm run prove-ledger needs only the data folder of npm run up", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "tillgate-up-"));
  const prove = async (environment: Record<string, string>) => {
    const script = local.start("prove-ledger.mjs", [], environment);
    return { exit: await script.exited(), output: script.out() + script.error() };
  };
  try {
    const dataFolder = { TILLGATE_DATA_DIR: folder };
    expect(await prove(dataFolder)).toEqual({
      exit: 1,
      output: expect.stringContaining("TILLGATE_DATA_DIR"),
    });
    await writeFile(
      path.join(folder, "api-settings.json"),
      JSON.stringify({ DATABASE_URL: local.sandbox.url }),
    );
    expect(await prove(dataFolder)).toEqual({
      exit: 0,
      output: expect.stringContaining("The ledger is sound."),
    });
  } finally {
    await rm(folder, { recursive: true });
  }
});
