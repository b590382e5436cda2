import { randomUUID } from "node:crypto";
import {
  AUDIT_ACTIONS,
  type AuditAction,
  type ConsoleRight,
  hasRight,
  memberRoleSchema,
} from "@tillgate/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { codeOf } from "../ledger-calls.js";
import { openSandboxDatabase, type SandboxDatabase } from "../sandbox-database.js";

// Each condition of chain_audit_record decides at least one of these cases alone.

/** Prefixes of the actions that members of a merchant may record, with the right that each requires. The first matching prefix applies. */
const RIGHTS: Record<string, ConsoleRight> = {
  "credential.connect": "credentials.money",
  "member.": "members.manage",
  "merchant.brand": "settings.change",
  "merchant.embed_origins": "settings.change",
  "merchant.mails": "settings.change",
  "merchant.notice_email": "settings.change",
  "order.cancel": "orders.cancel",
  "payment_link.": "links.change",
  "payout.create": "payouts.create",
  "payout_batch.": "payouts.create",
  "receiver.rotate_secret": "webhooks.secrets",
  "receiver.resend": "webhooks.resend",
  "receiver.send_missed": "webhooks.resend",
  "receiver.replay": "webhooks.resend",
  "receiver.": "webhooks.change",
  "refund.create": "refunds.create",
  "shop.remove": "shops.remove",
  "till.": "tills.change",
  "wallet.open": "wallets.top_up",
  "wallet.top_up": "wallets.top_up",
};
/** By kind of key, the right to create or rotate it, and the right to rename or revoke it. */
const RIGHTS_TO_KEYS: Record<string, [toSecret: ConsoleRight, toKey: ConsoleRight]> = {
  "a key": ["credentials.money", "credentials.change"],
  "a read-only key": ["credentials.change", "credentials.change"],
  "an order-only key": ["credentials.change", "credentials.change"],
  "a reports-only key": ["credentials.reports", "credentials.reports"],
};
const CHANGES_OF_KEYS: readonly AuditAction[] = [
  ...(["credential.create", "credential.rotate"] as const),
  ...(["credential.rename", "credential.revoke"] as const),
];

/** An action, its subject, and the right that the author of its record needs. */
type RequiredRight = [action: AuditAction, subject: string, right: ConsoleRight | "administrator"];
const REQUIRED_RIGHTS: RequiredRight[] = [
  // The subject may be changed by owners, developers and finance, so that only the action decides.
  ...AUDIT_ACTIONS.filter((action) => !CHANGES_OF_KEYS.includes(action)).map((action): RequiredRight => {
    const [, right = "administrator"] =
      Object.entries(RIGHTS).find(([start]) => action.startsWith(start)) ?? [];
    return [action, "a reports-only key", right];
  }),
  ...Object.entries(RIGHTS_TO_KEYS).flatMap(([key, [toSecret, toKey]]) =>
    CHANGES_OF_KEYS.map((action, at): RequiredRight => [action, key, at < 2 ? toSecret : toKey]),
  ),
];

const OUTCOMES = { accepted: "done", rejected: "TG063" };
type Case = [outcome: keyof typeof OUTCOMES, author: string, action: AuditAction, subjectOrMode: string];
const OF_USERS: Case[] = [
  ["rejected", "nobody", "order.cancel", "an order"],
  ["rejected", "a disabled owner", "order.cancel", "an order"],
  ["rejected", "another merchant's owner", "order.cancel", "an order"],
  ["rejected", "developer", "credential.create", "another merchant's read-only key"],
  ["rejected", "finance", "credential.create", "another merchant's reports-only key"],
  ["accepted", "viewer", "console_user.password", "viewer"],
  ["rejected", "viewer", "console_user.password", "owner"],
  ["rejected", "viewer", "member.role", "viewer"],
  // As if the connection code of the shop that the user connected were reused.
  ["accepted", "viewer", "credential.revoke", "the viewer's key"],
  ["accepted", "a disabled owner", "credential.revoke", "the disabled owner's key"],
  ["rejected", "viewer", "credential.revoke", "the disabled owner's key"],
  ["rejected", "viewer", "credential.revoke", "another merchant's key, created by the viewer"],
  ["rejected", "viewer", "credential.rename", "the viewer's key"],
];
const OF_CREDENTIALS: Case[] = [
  ["accepted", "a key", "receiver.pause", "sandbox"],
  ["rejected", "a key", "receiver.pause", "live"],
  ["accepted", "a live key", "receiver.pause", "live"],
  ["accepted", "a key", "test_payout.approve", "sandbox"],
  ["rejected", "a live key", "test_payout.approve", "live"],
  ["rejected", "a key", "payout.approve", "sandbox"],
  ["rejected", "a read-only key", "receiver.pause", "sandbox"],
  ["rejected", "an order-only key", "receiver.pause", "sandbox"],
  ["rejected", "a revoked key", "receiver.pause", "sandbox"],
  ["rejected", "an API token", "receiver.pause", "sandbox"],
  ["rejected", "another merchant's key", "receiver.pause", "sandbox"],
];

let database: SandboxDatabase;
const users = new Map<string, string>();
const credentials = new Map<string, string>();

beforeAll(async () => {
  database = await openSandboxDatabase();
  const { pool, merchant, otherMerchant } = database;
  const addUser = async (name: string, members: [merchantId: string, role: string][], disabled = false) => {
    const id = randomUUID();
    users.set(name, id);
    await pool.query(
      `INSERT INTO console_users (id, email, role, password_hash, disabled_at)
       VALUES ($1, $2, 'merchant', '', CASE WHEN $3 THEN now() END)`,
      [id, `${id}@example.com`, disabled],
    );
    for (const member of members)
      await pool.query("INSERT INTO console_members (user_id, merchant_id, role) VALUES ($1, $2, $3)", [
        id,
        ...member,
      ]);
  };
  for (const role of memberRoleSchema.options) await addUser(role, [[merchant.id, role]]);
  await addUser("a disabled owner", [[merchant.id, "owner"]], true);
  await addUser("another merchant's owner", [
    [merchant.id, "viewer"],
    [otherMerchant.id, "owner"],
  ]);
  const { rows } = await pool.query("SELECT id FROM console_users WHERE role = 'administrator' LIMIT 1");
  users.set("administrator", rows[0]?.id);

  /** Copies the merchant's credential, with changed columns. */
  const addCredential = async (name: string, columns: object = {}) => {
    const id = randomUUID();
    credentials.set(name, id);
    await pool.query(
      "INSERT INTO credentials SELECT (jsonb_populate_record(c, $2)).* FROM credentials c WHERE id = $1",
      [merchant.credentialId, { id, client_id: id, secret_hash: id, ...columns }],
    );
  };
  const elsewhere = { merchant_id: otherMerchant.id };
  const reportsOnly = { read_only: true, reports_only: true };
  await addCredential("a key");
  await addCredential("a read-only key", { read_only: true });
  await addCredential("an order-only key", { order_only: true });
  await addCredential("a reports-only key", reportsOnly);
  await addCredential("a live key", { mode: "live" });
  await addCredential("a revoked key", { revoked_at: "2026-01-01" });
  await addCredential("an API token", {
    ...{ kind: "api_token", client_id: null, secret_ciphertext: null, encryption_key_id: null },
  });
  await addCredential("another merchant's key", elsewhere);
  await addCredential("another merchant's read-only key", { ...elsewhere, read_only: true });
  await addCredential("another merchant's reports-only key", { ...elsewhere, ...reportsOnly });
  const byViewer = { created_by_id: users.get("viewer") };
  await addCredential("the viewer's key", byViewer);
  await addCredential("another merchant's key, created by the viewer", { ...elsewhere, ...byViewer });
  await addCredential("the disabled owner's key", { created_by_id: users.get("a disabled owner") });
});
afterAll(() => database.drop());

/** Writes a record, by default in the merchant's chain. */
async function write(
  author: { user: string } | { credential: string },
  action: AuditAction,
  { subject = "", mode = "sandbox", chain = database.merchant.id as string | null } = {},
) {
  await database.pool.query(
    `INSERT INTO audit_records (merchant_id, administrator_id, credential_id, action, subject, details)
     VALUES ($1, $2, $3, $4, $5, $6)`,
    [
      chain,
      "user" in author ? users.get(author.user) : null,
      "credential" in author ? credentials.get(author.credential) : null,
      action,
      users.get(subject) ?? credentials.get(subject) ?? subject,
      { mode },
    ],
  );
}

describe("an audit record", () => {
  it.each(REQUIRED_RIGHTS)("of action %s, subject '%s', requires: %s", async (action, subject, right) => {
    const outcomes: Record<string, string> = {};
    const expected: Record<string, string> = {};
    for (const user of [...memberRoleSchema.options, "administrator"] as const) {
      outcomes[user] = await codeOf(write({ user }, action, { subject }));
      expected[user] = (right === "administrator" ? user === right : hasRight(user, right))
        ? "done"
        : "TG063";
    }
    expect(outcomes).toEqual(expected);
  });

  it.each(OF_USERS)("is %s: by %s, action %s, subject '%s'", async (outcome, user, action, subject) => {
    expect(await codeOf(write({ user }, action, { subject }))).toBe(OUTCOMES[outcome]);
  });

  it.each(OF_CREDENTIALS)("is %s: by %s, action %s, mode %s", async (outcome, credential, action, mode) => {
    expect(await codeOf(write({ credential }, action, { mode }))).toBe(OUTCOMES[outcome]);
  });

  it("of opening a live wallet is accepted from administrators only", async () => {
    for (const [user, outcome] of [
      ["owner", "TG063"],
      ["administrator", "done"],
    ] as const)
      expect(await codeOf(write({ user }, "wallet.open", { mode: "live" }))).toBe(outcome);
  });

  it("in the platform's chain is accepted from administrators only", async () => {
    const chain = null;
    expect(await codeOf(write({ user: "owner" }, "order.cancel", { chain }))).toBe("TG063");
    expect(await codeOf(write({ user: "administrator" }, "rate.set", { chain }))).toBe("done");
  });

  it("has a hash that covers its author's credential", async () => {
    await write({ credential: "a key" }, "receiver.pause");
    const { rows } = await database.pool.query(
      `SELECT audit_hash(r) = audit_hash(jsonb_populate_record(r, jsonb_build_object('credential_id', gen_random_uuid()))) AS same
       FROM audit_records r WHERE credential_id IS NOT NULL LIMIT 1`,
    );
    expect(rows).toEqual([{ same: false }]);
  });

  it("continues its merchant's or the platform's chain with the next number and the hash of the previous record", async () => {
    const { merchant, otherMerchant, pool } = database;
    // The merchant's chain becomes the longest, so that records of other chains must not continue it.
    for (const chain of [...Array(5).fill(merchant.id), otherMerchant.id, null, merchant.id])
      await write({ user: "administrator" }, "order.cancel", { chain });
    const { rows } = await pool.query(
      `SELECT DISTINCT merchant_id, number = row_number() OVER chain AS counts,
         previous_hash = coalesce(lag(hash) OVER chain, sha256('')) AS follows, hash = audit_hash(r) AS covers
       FROM audit_records r WINDOW chain AS (PARTITION BY merchant_id ORDER BY id)`,
    );
    const sound = { counts: true, follows: true, covers: true };
    expect(rows).toHaveLength(3);
    expect(rows).toMatchObject([sound, sound, sound]);
  });
});
