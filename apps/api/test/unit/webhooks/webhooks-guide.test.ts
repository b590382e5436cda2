import { readFile } from "node:fs/promises";
import { eventNames, orderEventSchema, webhookTestErrorSchema, webhookTestSchema } from "@tillgate/contract";
import { beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { RETRY_STEPS_MS } from "../../../src/events/outbox/retry-schedule.js";

const GUIDE = new URL("../../../../../docs/webhooks.md", import.meta.url);
let guide: string;
beforeAll(async () => {
  guide = await readFile(GUIDE, "utf8");
});

it("docs/webhooks.md shows a complete event of the contract", () => {
  const shown: unknown = JSON.parse(/```json\n([\s\S]*?)```/.exec(guide)?.[1] ?? "");
  // The schema would ignore an unknown key.
  const reported = z.object({ data: z.record(z.string(), z.unknown()) }).parse(shown);
  expect(orderEventSchema.parse(shown).data.metadata).not.toBeNull();
  expect(Object.keys(reported.data).sort()).toEqual(Object.keys(orderEventSchema.shape.data.shape).sort());
});

it("docs/webhooks.md states the actual retry delays", () => {
  const [, first = "", last = ""] = /Tillgate retries after ([\s\S]*?) and ([\w ]+), each/.exec(guide) ?? [];
  const units: Record<string, number> = { s: 1_000, min: 60_000, h: 3_600_000 };
  const reported = [...first.split(/,\s+/), last].map((wait) => {
    const [amount, unit = ""] = wait.split(" ");
    return Number(amount) * (units[unit] ?? Number.NaN);
  });
  expect(reported).toEqual([...RETRY_STEPS_MS]);
});

it("docs/webhooks.md documents the fields of a test result and every failure cause", () => {
  const [, passage = ""] = /The response contains ([\s\S]*?)From code:/.exec(guide) ?? [];
  const names = [...passage.matchAll(/`(\w+)`/g)].map(([, name = ""]) => name);
  expect(names.sort()).toEqual(
    [...Object.keys(webhookTestSchema.shape), ...webhookTestErrorSchema.options].sort(),
  );
});

it("docs/webhooks.md documents every event, and names only existing scripts", async () => {
  for (const name of eventNames) expect(guide).toContain(`\`${name}\``);
  const { scripts } = z
    .object({ scripts: z.record(z.string(), z.string()) })
    .parse(JSON.parse(await readFile(new URL("../package.json", GUIDE), "utf8")));
  for (const [, script] of guide.matchAll(/npm run ([a-z-]+)/g))
    expect(scripts).toHaveProperty(String(script));
});
