import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { z } from "zod";

const root = path.resolve(import.meta.dirname, "../../../..");

export const MODEL_FILE = path.join(root, "docs/model/payments.qnt");

/** Lists the names of the model's invariants, which are its top-level `val` definitions. */
export const listInvariants = (model: string): string[] =>
  [...model.matchAll(/^ {2}val (\w+)/gm)].map(([, name = ""]) => name);

export type QuintResult = { passed: boolean; output: string };

/** Runs Quint with its TypeScript evaluator, because its default evaluator requires a download. */
export const runQuint = (command: "test" | "run", file: string, options: string[]): Promise<QuintResult> =>
  new Promise((resolve) => {
    execFile(
      process.execPath,
      [path.join(root, "node_modules/.bin/quint"), command, file, "--backend=typescript", ...options],
      { maxBuffer: 2 ** 24 },
      (error, stdout, stderr) => resolve({ passed: error === null, output: stdout + stderr }),
    );
  });

const resourceKey = z.tuple([z.string(), z.string()]);
const stateSchema = z.object({
  orders: z.array(
    z.object({
      amount: z.int(),
      state: z.string(),
      overdue: z.boolean(),
      refunded: z.int(),
      refundPending: z.int(),
    }),
  ),
  refunds: z.array(z.object({ order: z.int(), amount: z.int(), status: z.string() })),
  payouts: z.array(z.object({ amount: z.int(), fee: z.int(), status: z.string() })),
  wallets: z.array(z.tuple([z.string(), z.int()])).transform((wallets) => Object.fromEntries(wallets)),
  keys: z.array(z.tuple([resourceKey, z.unknown()])).transform((keys) => keys.map(([key]) => key)),
  events: z.array(z.object({ name: z.string(), subject: z.int() })),
  refundsNeedApproval: z.boolean(),
});

const call = <Tag extends string, Value extends z.ZodType>(tag: Tag, value: Value) =>
  z.object({ tag: z.literal(tag), value });
const callSchema = z.discriminatedUnion("tag", [
  call("CreateOrder", z.object({ key: z.string(), amount: z.int() })),
  call("ReadOrder", z.int()),
  call("PayOrder", z.int()),
  call("CancelOrder", z.int()),
  call("OrderTimePasses", z.int()),
  call("ExpireOrder", z.int()),
  call("CreateRefund", z.object({ key: z.string(), order: z.int(), amount: z.int() })),
  call("DecideRefund", z.object({ refund: z.int(), approve: z.boolean() })),
  call("CreatePayout", z.object({ key: z.string(), amount: z.int() })),
  call("DecidePayout", z.object({ payout: z.int(), approve: z.boolean() })),
]);

const traceSchema = z.object({
  states: z.array(z.object({ state: stateSchema, call: callSchema, outcome: z.string() })),
});

/** The state of the modelled merchant; amounts in minor units. */
export type ModelState = z.output<typeof stateSchema>;
export type ModelCall = z.output<typeof callSchema>;
/** A sequence of calls with their outcomes and the states after them. The first element is the state before all calls. */
export type Trace = z.output<typeof traceSchema>["states"];

/** Parses a trace in the Informal Trace Format. */
export function parseTrace(text: string): Trace {
  const decoded: unknown = JSON.parse(text, (_key, value) => {
    if (typeof value !== "object" || value === null) return value;
    if ("#bigint" in value) return Number(value["#bigint"]);
    return value["#map"] ?? value["#tup"] ?? value;
  });
  return traceSchema.parse(decoded).states;
}

export type TraceOptions = { seed: number; count: number; file?: string };

const TRACE_LENGTH = 20;

/** Generates random traces of the model; the same seed generates the same traces. @throws Error with Quint's output if Quint fails */
export async function generateTraces({ seed, count, file = MODEL_FILE }: TraceOptions): Promise<Trace[]> {
  const folder = await mkdtemp(path.join(tmpdir(), "tillgate-traces-"));
  try {
    const { passed, output } = await runQuint("run", file, [
      `--seed=${seed}`,
      `--max-samples=${count}`,
      `--n-traces=${count}`,
      `--max-steps=${TRACE_LENGTH}`,
      "--verbosity=1",
      `--out-itf=${path.join(folder, "{seq}.json")}`,
    ]);
    if (!passed) throw new Error(output);
    const texts = Array.from({ length: count }, (_, at) => readFile(path.join(folder, `${at}.json`), "utf8"));
    return (await Promise.all(texts)).map(parseTrace);
  } finally {
    await rm(folder, { recursive: true });
  }
}
