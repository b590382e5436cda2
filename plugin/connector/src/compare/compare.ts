import { setTimeout as wait } from "node:timers/promises";
import {
  baseAddress,
  longText,
  readSettings,
  SettingsError,
  type SettingsTable,
} from "@tillgate/service/settings";
import { Command, CommanderError } from "commander";
import { z } from "zod";
import { type CheckResponse, sendRequest } from "../connect/check-request.js";

export const exitCodes = { agree: 0, differ: 1, usage: 2 } as const;

const POLL_MS = 1_000;

const settings = {
  url: { name: "CONNECTOR_URL", kind: baseAddress },
  healthKey: { name: "CONNECTOR_HEALTH_KEY", kind: longText(32), secret: true },
} satisfies SettingsTable;

export type CompareIo = {
  environment: Record<string, string | undefined>;
  print: (text: string) => void;
  report: (text: string) => void;
  pollMs?: number;
};

const comparisonSchema = z.object({
  last: z.object({ under_way: z.boolean(), compared: z.int(), skipped: z.int() }).nullable(),
  difference_count: z.int(),
  differences: z.array(
    z.object({
      payment_id: z.int(),
      order_id: z.int(),
      subject: z.string(),
      subject_id: z.string(),
      field: z.string(),
      text: z.string(),
      advice: z.string(),
      repair: z.string().nullable(),
      repair_label: z.string().nullable(),
    }),
  ),
});
type Comparison = z.infer<typeof comparisonSchema>;

/** A failed request to the connector. The message does not contain the health key. */
class CompareError extends Error {
  override readonly name = "CompareError";
}

/** Runs `tillgate-compare`. @returns one of {@link exitCodes}; also `differ` for skipped payments, and `usage` for a failed request */
export async function compare(args: readonly string[], io: CompareIo): Promise<number> {
  const { environment, print, report, pollMs = POLL_MS } = io;
  try {
    const command = createCommand(print).parse([...args], { from: "user" });
    const { repair = false } = command.opts<{ repair?: boolean }>();
    const { url, healthKey } = readSettings(settings, environment);
    const store = `${url}/v1/stores/${encodeURIComponent(command.args[0] ?? "")}`;
    const call = createCaller(healthKey);
    let comparison = await runComparison(call, store, pollMs);
    if (repair) {
      for (const { order_id, text, ...difference } of comparison.differences) {
        if (difference.repair === null) continue;
        const { outcome } = outcomeSchema.parse(await call(`${store}/repairs`, difference));
        print(`Order ${order_id}: ${difference.repair_label ?? ""}: ${outcome}\n`);
      }
      comparison = comparisonSchema.parse(await call(`${store}/comparison`));
    }
    print(formatComparison(comparison));
    const isComplete = (comparison.last?.skipped ?? 0) === 0;
    return isComplete && comparison.difference_count === 0 ? exitCodes.agree : exitCodes.differ;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.agree;
    if (!(error instanceof CommanderError || error instanceof SettingsError || error instanceof CompareError))
      throw error;
    report(`${error.message.replace(/^error: /, "")}\nSee --help.\n`);
    return exitCodes.usage;
  }
}

const createCommand = (write: (text: string) => void): Command =>
  new Command("tillgate-compare")
    .description(
      "Compares a shop's orders and refunds with Tillgate through the running connector, and lists the differences and how to fix them. Set CONNECTOR_URL and CONNECTOR_HEALTH_KEY. Exits with status 0 if all payments could be compared and there are no differences, 1 if not, and 2 for invalid usage or a failed request.",
    )
    .argument("<store>", "ID of the store in the connector")
    .option("--repair", "fix what can be fixed safely, without moving money")
    .exitOverride()
    .configureOutput({ writeOut: write, writeErr: () => undefined });

const outcomeSchema = z.object({ outcome: z.enum(["repaired", "gone", "left"]) });
const errorSchema = z.object({ message: z.object({ error: z.array(z.string()) }) });

type Caller = (address: string, body?: object) => Promise<unknown>;

/** Sends a POST request if a body is given, otherwise a GET request. @throws CompareError */
const createCaller =
  (healthKey: string): Caller =>
  async (address, body) => {
    const response = await sendRequest(address, {
      headers: { authorization: `Bearer ${healthKey}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
    });
    if (response.status !== null && response.status < 300) return response.body;
    throw new CompareError(explainFailure(address, response));
  };

function explainFailure(address: string, response: CheckResponse): string {
  if (response.status === null) return `The connector cannot be reached at ${address}: ${response.reason}.`;
  const parsed = errorSchema.safeParse(response.body);
  const message = parsed.success
    ? parsed.data.message.error.join(" ")
    : "the response isn't from the connector";
  return `The request to ${address} failed (HTTP ${response.status}): ${message.replace(/\.$/, "")}.`;
}

/** Starts a comparison, or joins the one in progress, and waits until it ends. @throws CompareError */
async function runComparison(call: Caller, store: string, pollMs: number): Promise<Comparison> {
  let comparison = comparisonSchema.parse(await call(`${store}/comparison`, {}));
  while (comparison.last?.under_way === true) {
    await wait(pollMs);
    comparison = comparisonSchema.parse(await call(`${store}/comparison`));
  }
  return comparison;
}

function formatComparison({ last, difference_count: count, differences }: Comparison): string {
  const lines = differences.flatMap(({ order_id, text, advice, repair_label }) => [
    `✗ Order ${order_id}: ${text}`,
    `    → ${repair_label === null ? advice : `${repair_label}: use --repair, or the button on the health page.`}`,
  ]);
  const remaining = count - differences.length;
  if (remaining > 0) lines.push(`… and ${remaining} more.`);
  const compared = `${last?.compared ?? 0} compared`;
  const skipped = (last?.skipped ?? 0) === 0 ? "" : `, ${last?.skipped} couldn't be compared`;
  const result = count === 0 ? "No differences found" : count === 1 ? "1 difference" : `${count} differences`;
  return `${[...lines, `${result}: ${compared}${skipped}.`].join("\n")}\n`;
}
