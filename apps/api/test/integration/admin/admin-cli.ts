import { randomUUID } from "node:crypto";
import { hashPassword } from "@tillgate/database";
import { pino } from "pino";
import { expect } from "vitest";
import { z } from "zod";
import { runAdmin } from "../../../src/cli/run.js";
import { readConfig } from "../../../src/config.js";
import { type Context, createContext } from "../../../src/context.js";
import { openWallet, type Partner } from "../../support/partner.js";
import { openSandbox, type Sandbox } from "../../support/sandbox.js";

export type CommandResult = { exit: number; out: string; error: string };

/** The admin CLI on the database of one test file. */
export type AdminCli = {
  sandbox: Sandbox;
  context: Context;
  /** IDs sent as change notifications, such as those of orders, payouts and endpoints. */
  notified: string[];
  /** E-mail addresses of two administrators. */
  first: string;
  second: string;
  /** Passwords to type at the prompt, by e-mail. */
  passwords: Map<string, string>;
  /** Inserts an administrator, bypassing triggers. */
  addAdministrator(email: string): Promise<void>;
  run(...words: string[]): Promise<CommandResult>;
  runJson(...words: string[]): Promise<Record<string, unknown>>;
  runList(...words: string[]): Promise<Record<string, unknown>[]>;
  /** Runs a command with --json, and expects exit code 1. @returns the error's code, message and lines */
  runRejected(...words: string[]): Promise<{ code: string; message: string; lines?: string[] | undefined }>;
  auditRecords(): Promise<{ action: string; subject: string; administrator: string; details: unknown }[]>;
  /** Verifies the audit records' hashes, proves the ledger, and drops the database. */
  close(): Promise<void>;
};

const recordSchema = z.record(z.string(), z.unknown());
const errorSchema = z.object({
  error: z.object({ code: z.string(), message: z.string(), lines: z.array(z.string()).optional() }),
});

export async function openAdminCli(): Promise<AdminCli> {
  const sandbox = await openSandbox();
  const config = readConfig({
    DATABASE_URL: sandbox.url,
    TILLGATE_INTERNAL_KEY: "-".repeat(32),
    TILLGATE_ENCRYPTION_KEYS: [...sandbox.keyring.keys]
      .map(([id, key]) => `${id}:${key.toString("base64")}`)
      .join(","),
  });
  const notified: string[] = [];
  const context: Context = {
    ...createContext({ config, database: sandbox.database, log: pino({ level: "silent" }) }),
    changes: { notify: (id) => notified.push(id), close: async () => undefined },
  };
  const { administrator: first, second_administrator: second } = sandbox.access;
  const passwords = new Map([first, second].map(({ email, password }) => [email, password]));
  const passwordOf = async (email: string) => passwords.get(email) ?? "";
  const run = async (...words: string[]): Promise<CommandResult> => {
    let out = "";
    let error = "";
    const streams = {
      write: (text: string) => {
        out += text;
      },
      writeError: (text: string) => {
        error += text;
      },
    };
    return { exit: await runAdmin(words, streams, () => context, passwordOf), out, error };
  };
  const json = async (...words: string[]): Promise<unknown> => {
    const { exit, out, error } = await run("--json", ...words);
    expect({ exit, error }).toEqual({ exit: 0, error: "" });
    return JSON.parse(out);
  };
  return {
    sandbox,
    context,
    notified: notified,
    first: first.email,
    second: second.email,
    passwords,
    async addAdministrator(email) {
      const password = randomUUID();
      const passwordHash = await hashPassword(password);
      await sandbox.executeAsSuperuser(
        `SET session_replication_role = replica; INSERT INTO console_users (id, email, role, password_hash)
         VALUES (gen_random_uuid(), '${email}', 'administrator', '${passwordHash}')`,
      );
      passwords.set(email, password);
    },
    run,
    runJson: async (...words) => recordSchema.parse(await json(...words)),
    runList: async (...words) => z.array(recordSchema).parse(await json(...words)),
    async runRejected(...words) {
      const { exit, out, error } = await run("--json", ...words);
      expect({ exit, out, error: exit === 1 ? "" : error }).toEqual({ exit: 1, out: "", error: "" });
      return errorSchema.parse(JSON.parse(error)).error;
    },
    async auditRecords() {
      const records = await sandbox.database.prisma.auditRecord.findMany({ orderBy: { id: "asc" } });
      return records.map(({ action, subject, administrator, details }) => ({
        action,
        subject,
        administrator,
        details: JSON.parse(details),
      }));
    },
    async close() {
      const { rows } = await sandbox.database.pool.query<{ broken: bigint }>(
        "SELECT count(*) AS broken FROM audit_records r WHERE r.hash <> audit_hash(r)",
      );
      expect(rows[0]?.broken).toBe(0n);
      await sandbox.close();
    },
  };
}

const TABLES = [
  "accounts",
  "administrator_requests",
  "approval_requests",
  "audit_records",
  "console_users",
  "credentials",
  "currencies",
  "entries",
  "events",
  "exchange_rates",
  "fee_schedules",
  "merchants",
  "orders",
  "payout_terms",
  "payout_usage",
  "payouts",
  "refunds",
  "transfers",
  "wallet_sessions",
  "wallet_users",
];

/** Runs `work`, and expects it to change no row of `TABLES`. */
export async function expectNoChanges<Value>(
  { sandbox: { database } }: AdminCli,
  work: () => Promise<Value>,
): Promise<Value> {
  const state = async () => {
    const { rows } = await database.pool.query(
      `SELECT ${TABLES.map((table) => `(SELECT md5(coalesce(string_agg(t::text, '|' ORDER BY t::text), '')) FROM ${table} t) AS ${table}`).join(", ")}`,
    );
    return rows[0];
  };
  const before = await state();
  const value = await work();
  expect(await state()).toEqual(before);
  return value;
}

/** Adds a live wallet of 1,000.00 EUR to a merchant. @returns the wallet's ID */
export async function addLiveWallet(
  { sandbox }: AdminCli,
  { merchantId }: Pick<Partner, "merchantId">,
): Promise<string> {
  return openWallet(sandbox, { merchantId, kind: "merchant" }, "live", "EUR", 100_000n);
}
