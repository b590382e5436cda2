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

/** How a command ended and what it said. */
export type Ended = { exit: number; out: string; error: string };

/** Commands over the database of one test file. */
export type Administration = {
  sandbox: Sandbox;
  context: Context;
  /** Ids of orders, payouts and refunds that other processes were told of. */
  hinted: string[];
  /** Two administrators. */
  first: string;
  second: string;
  /** What is typed where a command asks for the password of an administrator, by e-mail. */
  passwords: Map<string, string>;
  /** Puts one more administrator into the database, past every rule. */
  addAdministrator(email: string): Promise<void>;
  /** Runs a command as a person would type it; words with spaces in one argument each. */
  run(...words: string[]): Promise<Ended>;
  /** Runs one with --json that must succeed. */
  succeed(...words: string[]): Promise<Record<string, unknown>>;
  rows(...words: string[]): Promise<Record<string, unknown>[]>;
  /** Runs one with --json that must be refused by a rule. @returns code and message. */
  refused(...words: string[]): Promise<{ code: string; message: string; lines?: string[] | undefined }>;
  /** Audit records since the file began, oldest first. */
  audit(): Promise<{ action: string; subject: string; administrator: string; details: unknown }[]>;
  /** Ends, proves the ledger and the audit chains, and drops the database. */
  close(): Promise<void>;
};

const record = z.record(z.string(), z.unknown());
const refusal = z.object({
  error: z.object({ code: z.string(), message: z.string(), lines: z.array(z.string()).optional() }),
});

export async function openAdministration(): Promise<Administration> {
  const sandbox = await openSandbox();
  const config = readConfig({
    DATABASE_URL: sandbox.url,
    TILLGATE_INTERNAL_KEY: "-".repeat(32),
    TILLGATE_ENCRYPTION_KEYS: [...sandbox.keyring.keys]
      .map(([id, key]) => `${id}:${key.toString("base64")}`)
      .join(","),
  });
  const hinted: string[] = [];
  const context: Context = {
    ...createContext({ config, database: sandbox.database, log: pino({ level: "silent" }) }),
    changes: { notify: (id) => hinted.push(id), close: async () => undefined },
  };
  const { administrator: first, second_administrator: second } = sandbox.access;
  const passwords = new Map([first, second].map(({ email, password }) => [email, password]));
  const passwordOf = async (email: string) => passwords.get(email) ?? "";
  const run = async (...words: string[]): Promise<Ended> => {
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
    hinted,
    first: first.email,
    second: second.email,
    passwords,
    async addAdministrator(email) {
      const password = randomUUID();
      const passwordHash = await hashPassword(password);
      await sandbox.administer(
        `SET session_replication_role = replica; INSERT INTO console_users (id, email, role, password_hash)
         VALUES (gen_random_uuid(), '${email}', 'administrator', '${passwordHash}')`,
      );
      passwords.set(email, password);
    },
    run,
    succeed: async (...words) => record.parse(await json(...words)),
    rows: async (...words) => z.array(record).parse(await json(...words)),
    async refused(...words) {
      const { exit, out, error } = await run("--json", ...words);
      expect({ exit, out, error: exit === 1 ? "" : error }).toEqual({ exit: 1, out: "", error: "" });
      return refusal.parse(JSON.parse(error)).error;
    },
    async audit() {
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

/** Runs something and proves that no row of any table that administration writes was added, changed or removed. */
export async function changesNothing<Value>(
  { sandbox: { database } }: Administration,
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

/** A merchant in live mode with a wallet of 1,000.00 EUR. */
export async function addLiveWallet(
  { sandbox }: Administration,
  { merchantId }: Pick<Partner, "merchantId">,
): Promise<string> {
  return openWallet(sandbox, { merchantId, kind: "merchant" }, "live", "EUR", 100_000n);
}
