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
import { type Answer, ask } from "../connect/answer.js";

/** How the command ends. */
export const exitCodes = { agree: 0, differ: 1, usage: 2 } as const;

/** Between two looks at a comparison that is under way, in milliseconds. */
const POLL_MS = 1_000;

const settings = {
  url: { name: "CONNECTOR_URL", kind: baseAddress },
  healthKey: { name: "CONNECTOR_HEALTH_KEY", kind: longText(32), secret: true },
} satisfies SettingsTable;

export type CompareSurroundings = {
  environment: Record<string, string | undefined>;
  /** Where the result goes. */
  print: (text: string) => void;
  /** Where mistakes go. */
  report: (text: string) => void;
  lookMs?: number;
};

/** As much of the connector's answer as is shown. */
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

/** The command was used wrongly, or the connector does not answer. Its text holds no secret. */
class CompareError extends Error {
  override readonly name = "CompareError";
}

/** Runs the command `compare`. @returns its exit code */
export async function compare(words: readonly string[], surroundings: CompareSurroundings): Promise<number> {
  const { environment, print, report, lookMs = POLL_MS } = surroundings;
  try {
    const command = commandOf(print).parse([...words], { from: "user" });
    const { repair = false } = command.opts<{ repair?: boolean }>();
    const { url, healthKey } = readSettings(settings, environment);
    const store = `${url}/v1/stores/${encodeURIComponent(command.args[0] ?? "")}`;
    const call = callerOf(healthKey);
    let comparison = await runComparison(call, store, lookMs);
    if (repair) {
      for (const { order_id, text, ...difference } of comparison.differences) {
        if (difference.repair === null) continue;
        const { outcome } = outcomeSchema.parse(await call(`${store}/repairs`, difference));
        print(`Order ${order_id}: ${difference.repair_label ?? ""}: ${outcome}\n`);
      }
      comparison = comparisonSchema.parse(await call(`${store}/comparison`));
    }
    print(describe(comparison));
    return comparison.difference_count === 0 ? exitCodes.agree : exitCodes.differ;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.agree;
    if (!(error instanceof CommanderError || error instanceof SettingsError || error instanceof CompareError))
      throw error;
    report(`${error.message.replace(/^error: /, "")}\nSee --help.\n`);
    return exitCodes.usage;
  }
}

const commandOf = (write: (text: string) => void): Command =>
  new Command("tillgate-compare")
    .description(
      "Compares a shop's orders and refunds with Tillgate's, through the running connector, and says what differs and what to do. CONNECTOR_URL says where the connector is, CONNECTOR_HEALTH_KEY opens it. Ends with 0 where all agree, with 1 where something differs.",
    )
    .argument("<store>", "the store's ID in the connector")
    .option("--repair", "fix what can be fixed safely; no money is moved")
    .exitOverride()
    .configureOutput({ writeOut: write, writeErr: () => undefined });

const outcomeSchema = z.object({ outcome: z.enum(["repaired", "gone", "left"]) });
const refusalSchema = z.object({ message: z.object({ error: z.array(z.string()) }) });

type Caller = (address: string, body?: object) => Promise<unknown>;

/** Asks the connector; with a body it posts. @throws CompareError in words */
const callerOf =
  (healthKey: string): Caller =>
  async (address, body) => {
    const answer = await ask(address, {
      headers: { authorization: `Bearer ${healthKey}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
    });
    if (answer.status !== null && answer.status < 300) return answer.body;
    throw new CompareError(whyNot(address, answer));
  };

function whyNot(address: string, answer: Answer): string {
  if (answer.status === null) return `The connector does not answer at ${address}: ${answer.reason}.`;
  const refusal = refusalSchema.safeParse(answer.body);
  const said = refusal.success ? refusal.data.message.error.join(" ") : "something else answered";
  return `The connector refuses (HTTP ${answer.status}): ${said}.`;
}

/** Begins a comparison, or joins the one that is under way, and waits for its end. */
async function runComparison(call: Caller, store: string, lookMs: number): Promise<Comparison> {
  let comparison = comparisonSchema.parse(await call(`${store}/comparison`, {}));
  while (comparison.last?.under_way === true) {
    await wait(lookMs);
    comparison = comparisonSchema.parse(await call(`${store}/comparison`));
  }
  return comparison;
}

function describe({ last, difference_count: count, differences }: Comparison): string {
  const lines = differences.flatMap(({ order_id, text, advice, repair_label }) => [
    `✗ Order ${order_id}: ${text}`,
    `    → ${repair_label === null ? advice : `${repair_label}: --repair, or the button of the health page.`}`,
  ]);
  const more = count - differences.length;
  if (more > 0) lines.push(`… and ${more} more.`);
  const compared = `${last?.compared ?? 0} compared`;
  const skipped = (last?.skipped ?? 0) === 0 ? "" : `, ${last?.skipped} could not be compared`;
  const end = count === 0 ? "No differences found" : count === 1 ? "1 difference" : `${count} differences`;
  return `${[...lines, `${end}: ${compared}${skipped}.`].join("\n")}\n`;
}
