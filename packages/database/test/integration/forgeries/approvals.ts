import { randomUUID } from "node:crypto";
import type { Forgery } from "./money.js";
import type { DecisionRecord, Forger, Scene } from "./scene.js";

/** Error codes: TERMS for a request that differs from what was approved, RECORD for a decision without an administrator's audit record. */
const TERMS = ["TG094"];
const RECORD = ["TG098"];

const MILLION = 100_000_000;

type Request = {
  id: string;
  reference: string;
  amount: number;
  wallet: string;
  kind: "deposit" | "withdrawal";
  asks: string;
  decides: string;
};

const requestOf = (s: Scene, of: Partial<Request> = {}): Request => {
  const [asks = "", decides = ""] = s.administrators;
  const id = randomUUID();
  const terms = {
    reference: `forged ${id}`,
    amount: MILLION,
    wallet: s.liveWallet,
    kind: "deposit",
  } as const;
  return { id, ...terms, asks, decides, ...of };
};

/** Writes a pending request. */
const send = (f: Forger, r: Request) =>
  f.query(
    `INSERT INTO approval_requests (id, kind, mode, account_id, currency, amount, external_reference, requested_by_id)
     VALUES ($1, $2, 'live', $3, 'EUR', $4, $5, $6)`,
    r.id,
    r.kind,
    r.wallet,
    r.amount,
    r.reference,
    r.asks,
  );

/** Approves a request with a live deposit of its amount. @returns the transfer's ID. */
async function approve(f: Forger, s: Scene, r: Request, transfer?: string): Promise<string> {
  const id = transfer ?? (await liveDeposit(f, s, r));
  await f.query(
    "UPDATE approval_requests SET status = 'approved', decided_by_id = $2, decided_at = clock_timestamp(), transfer_id = $3 WHERE id = $1",
    r.id,
    r.decides,
    id,
  );
  return id;
}

const liveDeposit = (f: Forger, s: Scene, { amount, reference, wallet }: Request) =>
  f.transfer(
    "deposit",
    [
      [s.liveFunding, -amount],
      [wallet, amount],
    ],
    { mode: "live", reference },
  );

/** Writes the audit record of a request, of its approval with the transfer, or of a movement by one administrator. */
const recordOf = (
  f: Forger,
  r: Request,
  verb: ".request" | ".approve" | "",
  transfer: string | null = null,
) =>
  f.query(
    "SELECT record_funds($1, a, $2, $3, $4, $5, $6) FROM accounts a WHERE id = $7",
    `wallet.${r.kind}${verb}`,
    r.amount,
    r.reference,
    r.id,
    transfer,
    verb === ".approve" ? r.decides : r.asks,
    r.wallet,
  );

/** Makes a live deposit of 1,000,000.00 with the audit records of two administrators, except records that are omitted on purpose. */
export async function approved(
  f: Forger,
  s: Scene,
  {
    request = true,
    decision = true,
    of = {} as Partial<Request>,
    recorded = {} as Partial<Request>,
    recordedTransfer = undefined as string | undefined,
  } = {},
) {
  const r = requestOf(s, of);
  await send(f, r);
  if (request) await recordOf(f, { ...r, ...recorded }, ".request");
  const transfer = await approve(f, s, r);
  if (decision) await recordOf(f, { ...r, ...recorded }, ".approve", recordedTransfer ?? transfer);
}

type Instead = { limit?: number; asked?: Partial<Request>; made?: Partial<Request>; alsoAsked?: boolean };
/** Approves a request for 5 minor units with a different deposit. A deposit within the limit is also recorded as made by one administrator. */
async function approvedInstead(
  f: Forger,
  s: Scene,
  { limit = 0, asked = {}, made = {}, alsoAsked = false }: Instead,
) {
  if (limit > 0) await f.decideLimit(limit);
  const r = requestOf(s, { amount: 5, ...asked });
  await send(f, r);
  await recordOf(f, r, ".request");
  let transfer = "";
  for (const deposit of [...(alsoAsked ? [r] : []), { ...r, ...made }]) {
    transfer = await liveDeposit(f, s, deposit);
    if (deposit.amount <= limit) await recordOf(f, { ...deposit, kind: "deposit" }, "", transfer);
  }
  await recordOf(f, r, ".approve", await approve(f, s, r, transfer));
}
const INSTEAD: [what: string, of: (s: Scene) => Instead][] = [
  ["amount", () => ({ made: { amount: 4 } })],
  ["reference", () => ({ made: { reference: "another" } })],
  ["wallet", (s) => ({ made: { wallet: s.otherLiveWallet } })],
  ["kind", () => ({ asked: { kind: "withdrawal" } })],
];

const reject = (f: Forger, r: Request, at = "clock_timestamp()") =>
  f.query(
    `UPDATE approval_requests SET status = 'rejected', decided_by_id = $2, decided_at = ${at} WHERE id = $1`,
    r.id,
    r.decides,
  );

export const HONEST_APPROVAL: [what: string, work: Forgery[2]] = [
  "a live deposit approved by two administrators",
  (f, s) => approved(f, s),
];

const disabled = (f: Forger, administrator: string | undefined) =>
  f.query("UPDATE console_users SET disabled_at = now() WHERE id = $1", administrator);

/** Decides the pending payout or refund correctly, but with a forged audit record or none. */
const decided = (
  f: Forger,
  s: Scene,
  what: "payout" | "refund",
  status: "completed" | "failed",
  record: DecisionRecord,
) =>
  what === "payout"
    ? f.decidePayout(
        status,
        status === "completed"
          ? [
              [s.hold, -1_030],
              [s.fees, 30],
              [s.samuel, 1_000],
            ]
          : [
              [s.hold, -1_030],
              [s.wallet, 1_030],
            ],
        record,
      )
    : f.decideRefund(
        status,
        [
          [s.hold, -100],
          [status === "completed" ? s.testShopper : s.wallet, 100],
        ],
        record,
      );

export const APPROVALS: Forgery[] = [
  [
    "a live deposit of 1,000,000.00 with a request inserted as approved",
    TERMS,
    async (f, s) => {
      const r = requestOf(s);
      const transfer = await liveDeposit(f, s, r);
      await f.query(
        `INSERT INTO approval_requests (id, kind, mode, account_id, currency, amount, external_reference, status, requested_by_id, decided_by_id, decided_at, transfer_id)
         VALUES ($1, 'deposit', 'live', $2, 'EUR', $3, $4, 'approved', $5, $6, now(), $7)`,
        r.id,
        s.liveWallet,
        r.amount,
        r.reference,
        r.asks,
        r.decides,
        transfer,
      );
    },
  ],
  ["a request without an audited requester", RECORD, (f, s) => send(f, requestOf(s))],
  [
    "an approval without audit records",
    RECORD,
    (f, s) => approved(f, s, { request: false, decision: false }),
  ],
  [
    "an approval without the audit record of the request",
    RECORD,
    (f, s) => approved(f, s, { request: false }),
  ],
  [
    "an approval without the audit record of the decision",
    RECORD,
    (f, s) => approved(f, s, { decision: false }),
  ],
  ...(
    [
      ["reference another request", () => ({ id: randomUUID() })],
      ["state a different amount", () => ({ amount: 5 })],
      ["state a different wallet", (s) => ({ wallet: s.otherLiveWallet })],
      ["are of a withdrawal", () => ({ kind: "withdrawal" })],
    ] satisfies [string, (s: Scene) => Partial<Request>][]
  ).map(
    ([what, recorded]): Forgery => [
      `an approval whose audit records ${what}`,
      RECORD,
      (f, s) => approved(f, s, { recorded: recorded(s) }),
    ],
  ),
  [
    "an approval whose audit record references another transfer",
    RECORD,
    (f, s) => approved(f, s, { recordedTransfer: s.deposit }),
  ],
  [
    "an approval with audit records of a single administrator",
    RECORD,
    (f, s) => approved(f, s, { recorded: { decides: s.administrators[0] ?? "" } }),
  ],
  [
    "an approval of a disabled administrator's request",
    RECORD,
    async (f, s) => {
      await approved(f, s);
      await disabled(f, s.administrators[0]);
    },
  ],
  [
    "an approval by a disabled administrator",
    RECORD,
    async (f, s) => {
      await approved(f, s);
      await disabled(f, s.administrators[1]);
    },
  ],
  [
    "a rejection backdated by a week",
    TERMS,
    async (f, s) => {
      const r = requestOf(s);
      await send(f, r);
      await reject(f, r, "now() - interval '7 days'");
    },
  ],
  [
    "a request decided twice",
    TERMS,
    async (f, s) => {
      const r = requestOf(s);
      await send(f, r);
      for (let times = 0; times < 2; times += 1) await reject(f, r);
    },
  ],
  [
    "a live deposit approved by its requester",
    ["23514"],
    (f, s) => approved(f, s, { of: { decides: s.administrators[0] ?? "" } }),
  ],
  ...INSTEAD.flatMap(([what, of]): Forgery[] => [
    [`a live deposit approved for a different ${what}`, ["TG097"], (f, s) => approvedInstead(f, s, of(s))],
    [
      `an approval that references one administrator's deposit with a different ${what}`,
      RECORD,
      (f, s) => approvedInstead(f, s, { ...of(s), limit: 5 }),
    ],
  ]),
  [
    "a live deposit whose approval references another deposit",
    ["TG097"],
    (f, s) => approvedInstead(f, s, { limit: 4, made: { reference: "another", amount: 4 }, alsoAsked: true }),
  ],
  [
    "an approval that references a deposit other than the approved deposit",
    RECORD,
    (f, s) => approvedInstead(f, s, { limit: 5, made: { reference: "another" }, alsoAsked: true }),
  ],
  [
    "a rejection without its audit record",
    RECORD,
    async (f, s) => {
      const r = requestOf(s);
      await send(f, r);
      await recordOf(f, r, ".request");
      await reject(f, r);
    },
  ],
  [
    "an administrator with a request inserted as approved",
    TERMS,
    async (f, s) => {
      await f.query(
        `INSERT INTO administrator_requests (kind, id, email, half_ciphertext, encryption_key_id, status, requested_by_id, decided_by_id, decided_at)
         VALUES ('add', gen_random_uuid(), 'third@example.com', '', 'k', 'approved', $1, $2, now())`,
        ...s.administrators,
      );
      await f.query(
        "INSERT INTO console_users (id, email, role, password_hash) VALUES (gen_random_uuid(), 'third@example.com', 'administrator', 'x')",
      );
    },
  ],
  [
    "an administrator without an audited approval",
    RECORD,
    async (f, s) => {
      const id = randomUUID();
      await f.query(
        "INSERT INTO administrator_requests (kind, id, email, half_ciphertext, encryption_key_id, requested_by_id) VALUES ('add', $1, 'third@example.com', '', 'k', $2)",
        id,
        s.administrators[0],
      );
      await f.query(
        "UPDATE administrator_requests SET status = 'approved', decided_by_id = $2, decided_at = now() WHERE id = $1",
        id,
        s.administrators[1],
      );
      await f.query(
        "INSERT INTO console_users (id, email, role, password_hash) VALUES (gen_random_uuid(), 'third@example.com', 'administrator', 'x')",
      );
    },
  ],
  ["deleted requests", ["TG090"], (f) => f.query("DELETE FROM approval_requests")],
  ["a held payout completed without approval", RECORD, (f, s) => decided(f, s, "payout", "completed", null)],
  ["a held payout failed without rejection", RECORD, (f, s) => decided(f, s, "payout", "failed", null)],
  ["a held refund completed without approval", RECORD, (f, s) => decided(f, s, "refund", "completed", null)],
  ["a held refund failed without rejection", RECORD, (f, s) => decided(f, s, "refund", "failed", null)],
  [
    "a held payout completed with the audit record of a rejection",
    RECORD,
    (f, s) => decided(f, s, "payout", "completed", { action: "payout.reject" }),
  ],
  [
    "a held refund completed with the audit record of another refund",
    RECORD,
    (f, s) => decided(f, s, "refund", "completed", { subject: "RF-20261121-AAAAAA" }),
  ],
  [
    "a held payout completed with an audit record of a different amount",
    RECORD,
    (f, s) => decided(f, s, "payout", "completed", { amount: "5" }),
  ],
  [
    "a held refund approved in another merchant's audit chain",
    RECORD,
    (f, s) => decided(f, s, "refund", "completed", { merchant: s.other }),
  ],
];
