import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import {
  eventNames,
  orderEventSchema,
  refundSchema,
  webhookTestErrorSchema,
  webhookTestSchema,
} from "@tillgate/contract";
import { rawKey, signWebhook, whsecKey } from "@tillgate/webhooks";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { isInstalled } from "../../../../../scripts/testing/languages.js";
import { RETRY_STEPS_MS } from "../../../src/outbox/schedule.js";

const GUIDE = new URL("../../../../../docs/webhooks.md", import.meta.url);
const SECRET = "tgs_test_3f9a71c2d4e5f60718293a4b5c6d7e8f";
const OLD_SECRET = "tgs_test_00000000000000000000000000000000";
const ENDPOINT_SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const BODY = '{"id":"evt_1","event":"pos.order.paid","note":"é € 𝕏"}';
const now = Math.floor(Date.now() / 1_000);

let guide: string;
let folder: string;
beforeAll(async () => {
  guide = await readFile(GUIDE, "utf8");
  folder = await mkdtemp(path.join(tmpdir(), "tillgate-guide-"));
});
afterAll(() => rm(folder, { recursive: true }));

function sample(language: string): string {
  const found = new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``).exec(guide)?.[1];
  if (found === undefined) throw new Error(`the guide has no sample in ${language}`);
  return found;
}

type Case = { name: string; headers: Record<string, string>; body: string; key: string; genuine: boolean };

const sign = (keys: Parameters<typeof signWebhook>[0]["keys"], timestampSeconds = now) =>
  signWebhook({ id: "evt_1", event: "pos.order.paid", timestampSeconds, body: BODY, keys });
const signed = sign([rawKey(SECRET)]);
const cases: Case[] = [
  { name: "a delivery to a callback_url", headers: signed, body: BODY, key: SECRET, genuine: true },
  {
    name: "one during a rotation",
    headers: sign([rawKey(OLD_SECRET), rawKey(SECRET)]),
    body: BODY,
    key: SECRET,
    genuine: true,
  },
  {
    name: "one to an endpoint",
    headers: sign([whsecKey(ENDPOINT_SECRET)]),
    body: BODY,
    key: "\u0007".repeat(32),
    genuine: true,
  },
  { name: "another secret", headers: signed, body: BODY, key: OLD_SECRET, genuine: false },
  { name: "a changed body", headers: signed, body: `${BODY} `, key: SECRET, genuine: false },
  {
    name: "another id",
    headers: { ...signed, "webhook-id": "evt_2" },
    body: BODY,
    key: SECRET,
    genuine: false,
  },
  {
    name: "one of six minutes ago",
    headers: sign([rawKey(SECRET)], now - 360),
    body: BODY,
    key: SECRET,
    genuine: false,
  },
  {
    name: "one of the future",
    headers: sign([rawKey(SECRET)], now + 360),
    body: BODY,
    key: SECRET,
    genuine: false,
  },
  { name: "no headers at all", headers: {}, body: BODY, key: SECRET, genuine: false },
];

const expected = cases.map(({ name, genuine }) => [name, genuine]);

describe("the samples of docs/webhooks.md", () => {
  it("in Node tell what is genuine", async () => {
    const file = path.join(folder, "sample.mjs");
    await writeFile(file, sample("js"));
    const { isGenuine } = z
      .object({
        isGenuine: z.custom<(...values: unknown[]) => unknown>((value) => typeof value === "function"),
      })
      .parse(await import(/* @vite-ignore */ pathToFileURL(file).href));
    expect(
      cases.map(({ name, headers, body, key }) => [name, isGenuine(headers, Buffer.from(body), key)]),
    ).toEqual(expected);
  });

  it("in PHP tell what is genuine, where PHP is installed", async ({ skip }) => {
    const run = promisify(execFile);
    if (!(await isInstalled("php"))) skip("PHP is not installed");
    const file = path.join(folder, "sample.php");
    await writeFile(
      file,
      `<?php\n${sample("php")}\n$told = [];\nforeach (json_decode(file_get_contents($argv[1]), true) as $case)\n  $told[] = [$case['name'], is_genuine($case['headers'], $case['body'], $case['key'])];\necho json_encode($told);\n`,
    );
    const given = path.join(folder, "cases.json");
    await writeFile(given, JSON.stringify(cases));
    const { stdout } = await run("php", [file, given]);
    expect(JSON.parse(stdout)).toEqual(expected);
  });

  it("stay as short as promised", () => {
    for (const language of ["js", "php"]) expect(sample(language).trim().split("\n").length).toBeLessThan(13);
  });
});

it("docs/webhooks.md shows a whole event of the contract, and counts the keys of a refund", () => {
  const shown: unknown = JSON.parse(sample("json"));
  // A key that the contract does not have would be passed over.
  const told = z.object({ data: z.record(z.string(), z.unknown()) }).parse(shown);
  expect(orderEventSchema.parse(shown).data.metadata).not.toBeNull();
  expect(Object.keys(told.data).sort()).toEqual(Object.keys(orderEventSchema.shape.data.shape).sort());
  const counted = ["nine", "ten", "eleven", "twelve"][Object.keys(refundSchema.shape).length - 9];
  expect(guide).toContain(`the ${counted} keys of a refund`);
});

it("docs/webhooks.md tells the waits between two attempts as they are", () => {
  const [, first = "", last = ""] =
    /next attempts come after ([\s\S]*?) and ([\w ]+), each/.exec(guide) ?? [];
  const units: Record<string, number> = { s: 1_000, min: 60_000, h: 3_600_000 };
  const told = [...first.split(/,\s+/), last].map((wait) => {
    const [amount, unit = ""] = wait.split(" ");
    return Number(amount) * (units[unit] ?? Number.NaN);
  });
  expect(told).toEqual([...RETRY_STEPS_MS]);
});

it("docs/webhooks.md names what the answer to a test tells, and every cause of its failure", () => {
  const [, told = ""] = /The answer has ([\s\S]*?)From code:/.exec(guide) ?? [];
  const names = [...told.matchAll(/`(\w+)`/g)].map(([, name = ""]) => name);
  expect(names.sort()).toEqual(
    [...Object.keys(webhookTestSchema.shape), ...webhookTestErrorSchema.options].sort(),
  );
});

it("docs/webhooks.md names every event and every script", async () => {
  for (const name of eventNames) expect(guide).toContain(`\`${name}\``);
  const { scripts } = z
    .object({ scripts: z.record(z.string(), z.string()) })
    .parse(JSON.parse(await readFile(new URL("../package.json", GUIDE), "utf8")));
  for (const [, script] of guide.matchAll(/npm run ([a-z-]+)/g))
    expect(scripts).toHaveProperty(String(script));
});
