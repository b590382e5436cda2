import { randomUUID } from "node:crypto";
import type { Forgery } from "./money.js";
import type { Forger, Line, Scene } from "./scene.js";

/** Error codes: LINES for a transfer that differs from its record, TERMS for a record that contradicts its rate or changes afterwards. */
const LINES = ["TG097"];
const TERMS = ["TG094"];

type Terms = {
  shopper?: string;
  gives?: number;
  gets?: bigint;
  rate?: string;
  mode?: string;
  seconds?: number;
  transfer?: string;
};

/** Returns the rate in effect, and one euro in francs at this rate, rounded down. */
async function terms(s: Scene): Promise<{ rate: string; francs: bigint }> {
  const rate = await s.francsRate();
  return { rate, francs: BigInt(Math.floor(Number(rate))) };
}

/** Quotes a conversion of one of Samuel's euros into francs. @returns its ID and the credited amount. */
async function quoteConversion(f: Forger, s: Scene, of: Terms = {}): Promise<{ id: string; francs: bigint }> {
  const { rate, francs } = await terms(s);
  const id = randomUUID();
  const gets = of.gets ?? francs;
  await f.query(
    `INSERT INTO conversions (id, mode, wallet_user_id, from_currency, from_amount, to_currency, to_amount, rate, created_at, expires_at, transfer_id, used_at)
     VALUES ($1, $2, $3, 'EUR', $4, 'XAF', $5, $6, now(), now() + make_interval(secs => $7), $8, CASE WHEN $8::uuid IS NOT NULL THEN now() END)`,
    id,
    of.mode ?? "sandbox",
    of.shopper ?? s.samuelHimself,
    of.gives ?? 100,
    gets,
    of.rate ?? rate,
    of.seconds ?? 300,
    of.transfer ?? null,
  );
  return { id, francs: gets };
}

const use = (f: Forger, id: string, transfer: string) =>
  f.query(
    "UPDATE conversions SET used_at = least(clock_timestamp(), expires_at), transfer_id = $2 WHERE id = $1",
    id,
    transfer,
  );

/** Executes a conversion of one euro by a transfer with these lines instead of the correct lines. */
async function convert(
  f: Forger,
  s: Scene,
  lines: (francs: bigint) => Line[] = (francs) => linesOf(s, francs),
  of: Terms = {},
) {
  const { id, francs } = await quoteConversion(f, s, of);
  await use(f, id, await f.transfer("conversion", lines(francs)));
}

const linesOf = (s: Scene, francs: bigint): Line[] => [
  [s.samuel, -100],
  [s.fx, 100],
  [s.fxFrancs, -Number(francs), "XAF"],
  [s.samuelFrancs, Number(francs), "XAF"],
];

export const HONEST_CONVERSIONS: [what: string, work: Forgery[2]][] = [
  // Quoted for exactly an hour.
  ["a conversion", (f, s) => convert(f, s, undefined, { seconds: 3_600 })],
  [
    "a conversion at the moment of its expiry",
    async (f, s) => {
      const { id, francs } = await quoteConversion(f, s);
      await f.query("UPDATE conversions SET expires_at = clock_timestamp() WHERE id = $1", id);
      await use(f, id, await f.transfer("conversion", linesOf(s, francs)));
    },
  ],
];

export const SHOPPERS_CONVERSIONS: Forgery[] = [
  [
    "a conversion without a quote",
    LINES,
    async (f, s) => f.transfer("conversion", linesOf(s, (await terms(s)).francs)),
  ],
  [
    "a conversion of another shopper's funds",
    LINES,
    (f, s) => convert(f, s, (francs) => [[s.amelie, -100], ...linesOf(s, francs).slice(1)]),
  ],
  [
    "a conversion that credits one minor unit more",
    LINES,
    (f, s) => convert(f, s, (francs) => linesOf(s, francs + 1n)),
  ],
  [
    "a conversion that debits one minor unit less",
    LINES,
    (f, s) => convert(f, s, (francs) => [[s.samuel, -99], [s.fx, 99], ...linesOf(s, francs).slice(2)]),
  ],
  [
    "a conversion through the house's fee account",
    LINES,
    (f, s) => convert(f, s, (francs) => [[s.samuel, -100], [s.fees, 100], ...linesOf(s, francs).slice(2)]),
  ],
  [
    "a conversion to a merchant's wallet",
    LINES,
    (f, s) =>
      convert(f, s, () => [
        [s.samuel, -100],
        [s.wallet, 100],
      ]),
  ],
  [
    "a conversion at a rate that never existed",
    LINES,
    (f, s) => convert(f, s, undefined, { rate: "900", gets: 900n }),
  ],
  [
    "a conversion quote that credits more than its rate",
    TERMS,
    async (f, s) => quoteConversion(f, s, { gets: (await terms(s)).francs + 1n }),
  ],
  [
    "a conversion quote that credits less than its rate",
    TERMS,
    async (f, s) => quoteConversion(f, s, { gets: (await terms(s)).francs - 1n }),
  ],
  [
    "a conversion quote one minor unit below an exact amount",
    TERMS,
    (f, s) => quoteConversion(f, s, { rate: "650", gets: 649n }),
  ],
  ["a conversion quote valid for a year", TERMS, (f, s) => quoteConversion(f, s, { seconds: 31_536_000 })],
  ["a conversion in live mode", ["23514", "23503"], (f, s) => quoteConversion(f, s, { mode: "live" })],
  [
    "a conversion with a deposit as its transfer",
    ["TG096"],
    async (f, s) => {
      const { id } = await quoteConversion(f, s);
      await use(f, id, s.deposit);
    },
  ],
  [
    "a conversion executed twice",
    TERMS,
    async (f, s) => {
      const { id, francs } = await quoteConversion(f, s);
      for (let times = 0; times < 2; times += 1)
        await use(f, id, await f.transfer("conversion", linesOf(s, francs)));
    },
  ],
  [
    "a conversion quote with a changed amount",
    TERMS,
    async (f, s) => {
      const { id } = await quoteConversion(f, s);
      await f.query("UPDATE conversions SET to_amount = to_amount + 1 WHERE id = $1", id);
    },
  ],
  [
    "a conversion inserted as executed",
    TERMS,
    async (f, s) => {
      const { francs } = await terms(s);
      await quoteConversion(f, s, { transfer: await f.transfer("conversion", linesOf(s, francs)) });
    },
  ],
  [
    "a conversion executed after its expiry",
    TERMS,
    async (f, s) => {
      const { id, francs } = await quoteConversion(f, s);
      await f.query(
        "UPDATE conversions SET expires_at = clock_timestamp() - interval '1 second' WHERE id = $1",
        id,
      );
      await f.query(
        "UPDATE conversions SET used_at = clock_timestamp(), transfer_id = $2 WHERE id = $1",
        id,
        await f.transfer("conversion", linesOf(s, francs)),
      );
    },
  ],
  [
    "a conversion changed after execution",
    TERMS,
    async (f, s) => {
      await convert(f, s);
      await f.query("UPDATE conversions SET to_amount = to_amount + 1 WHERE used_at IS NOT NULL");
    },
  ],
  [
    "a deleted conversion",
    ["TG090"],
    async (f, s) => {
      await convert(f, s);
      await f.query("DELETE FROM conversions");
    },
  ],
];
