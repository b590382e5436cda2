import pg from "pg";
import { call, getOrigin, readText, toBasicAuth } from "../calls.js";
import type { Figure, Result } from "../figure.js";
import type { BenchMerchant, BenchShopper } from "../parties.js";
import { readResidentKilobytes } from "../resident-memory.js";
import { startSecondApi } from "../second-api.js";
import { pickSize } from "../sized.js";
import type { StartedProgram } from "../started-program.js";
import { percentile, roundToCents } from "../statistics.js";
import type { System } from "../system.js";

const ENTRIES = pickSize(1_000_000, 10_000);
const OF_ONE_DAY = pickSize(100_000, 2_000);
const READS = pickSize(100, 5);
const CHECKPOINT_STEP = 10_000;
const MEMORY_READ_MS = 50;
/** Heap limit of the API. With Node's default, garbage would be collected late and hide how much memory the files need. */
const HEAP_MB = 128;
const MEGABYTE = 2 ** 20;

export const reportMonth: Figure = {
  name: "report-month",
  async measure(system) {
    const merchant = system.merchants.at(-5);
    const [shopper] = system.shoppers;
    if (!merchant || !shopper) throw new Error("The benchmark has too few merchants or shoppers.");
    const month = lastMonth();
    await fillMonth(system, { merchant, shopper, month });
    const period = `from_date=${month}-01&to_date=${month}-28`;
    const pages = await measurePages(system, merchant, `${month}-15`);
    const api = await startSecondApi(system, { NODE_OPTIONS: `--max-old-space-size=${HEAP_MB}` });
    try {
      return [
        pages,
        ...(await measureFile(api, merchant, `statement.csv?${period}`)),
        ...(await measureFile(api, merchant, `statement.xml?${period}`)),
      ];
    } finally {
      await api.stop();
    }
  },
};

/** Returns the previous UTC month, such as `2026-10`, whose days are all closed. */
function lastMonth(): string {
  const day = new Date();
  day.setUTCDate(0);
  return day.toISOString().slice(0, "2026-10".length);
}

type Month = { merchant: BenchMerchant; shopper: BenchShopper; month: string };

/**
 * Fills 28 days of a new USD wallet without triggers and foreign keys, which would take an hour. The shopper's side is left out, so only this
 * wallet's reports may read the entries.
 */
async function fillMonth({ adminUrl, sandbox }: System, { merchant, shopper, month }: Month): Promise<void> {
  const { pathname } = new URL(sandbox.database_url);
  const client = new pg.Client({ connectionString: new URL(pathname, adminUrl).href });
  await client.connect();
  try {
    await client.query("BEGIN");
    await client.query("SET LOCAL session_replication_role = replica");
    await client.query(
      `CREATE TEMPORARY TABLE filled ON COMMIT DROP AS
       SELECT n, gen_random_uuid() AS transfer_id, 100 + n % 9900 AS amount, $1::timestamptz + CASE
         WHEN n <= rest THEN (n - 1.0) / rest * interval '14 days'
         WHEN n <= rest + $3 THEN interval '14 days' + (n - rest - 1.0) / $3 * interval '1 day'
         ELSE interval '15 days' + (n - rest - $3 - 1.0) / rest * interval '13 days' END AS at
       FROM generate_series(1, $2::int) n, LATERAL (SELECT ($2 - $3::int) / 2 AS rest)`,
      [`${month}-01T00:00:00Z`, ENTRIES, OF_ONE_DAY],
    );
    const account =
      "(SELECT id FROM accounts WHERE merchant_id = $1::uuid AND currency = 'USD' AND mode = 'sandbox')";
    await client.query(
      `INSERT INTO accounts (id, merchant_id, mode, currency, kind, balance)
       SELECT gen_random_uuid(), $1, 'sandbox', 'USD', 'merchant', sum(amount) FROM filled`,
      [merchant.id],
    );
    await client.query(
      "INSERT INTO transfers (id, mode, kind, created_at) SELECT transfer_id, 'sandbox', 'payment', at FROM filled ORDER BY n",
    );
    await client.query(
      `INSERT INTO entries (transfer_id, account_id, mode, currency, amount)
       SELECT transfer_id, ${account}, 'sandbox', 'USD', amount FROM filled ORDER BY n`,
      [merchant.id],
    );
    await client.query(
      `INSERT INTO orders (id, token, mode, merchant_id, credential_id, amount, currency, payment_method, status, state, reference, order_number,
         created_at, expires_at, paid_at, trx_id, transfer_id, payer_account_id, payer_currency, payer_amount)
       SELECT 'POS-' || left($1::text, 8) || '-M' || lpad(upper(to_hex(n)), 6, '0'), gen_random_uuid()::text, 'sandbox', $1::uuid,
         $2::uuid, amount, 'USD', 'both', 'PAID', 'PAID', 'month ' || n, n::text, at, at + interval '1 hour', at,
         'TRX-' || left($1::text, 8) || '-M' || lpad(upper(to_hex(n)), 6, '0'), transfer_id, $3::uuid, 'USD', amount
       FROM filled`,
      [merchant.id, merchant.credentialId, shopper.walletId],
    );
    await client.query("COMMIT");
    await client.query("VACUUM ANALYZE transfers, entries, orders");
    for (let written = 0; written < ENTRIES; written += CHECKPOINT_STEP)
      await client.query("SELECT write_checkpoints(1000)");
  } finally {
    await client.end();
  }
}

const ofWallet = (merchant: BenchMerchant, report: string) => ({
  method: "GET" as const,
  path: `/pay/sandbox/api/v1/reports/USD/${report}`,
  headers: { authorization: toBasicAuth(merchant) },
});

async function measurePages(system: System, merchant: BenchMerchant, day: string): Promise<Result> {
  const times: number[] = [];
  let cursor = "";
  while (times.length < READS) {
    const startedAt = performance.now();
    const page = await call(getOrigin(system), ofWallet(merchant, `${day}?per_page=100${cursor}`));
    times.push(performance.now() - startedAt);
    cursor = `&cursor=${encodeURIComponent(readText(page, "next_cursor"))}`;
  }
  const p95 = percentile(times, 0.95);
  return {
    what: `report of a day of ${OF_ONE_DAY} entries, page of 100, p95, ms`,
    measured: `${p95.toFixed(1)} ms`,
    reference: "150 ms",
    value: roundToCents(p95),
    target: { below: 150 },
  };
}

/** Downloads a file while the API's memory is read. If the heap is too small for the file, the API crashes and the figure fails. */
async function measureFile(
  { origin, pid }: StartedProgram,
  merchant: BenchMerchant,
  file: string,
): Promise<Result[]> {
  const [name = file] = file.split("?");
  const before = await readResidentKilobytes(pid);
  let peak = before;
  const timer = setInterval(async () => {
    peak = Math.max(peak, await readResidentKilobytes(pid));
  }, MEMORY_READ_MS);
  const startedAt = performance.now();
  let bytes = 0;
  try {
    const { path, headers } = ofWallet(merchant, file);
    const response = await fetch(`${origin}${path}`, { headers });
    if (!response.ok || !response.body)
      throw new Error(`${name}: HTTP ${response.status}: ${await response.text()}`);
    for await (const chunk of response.body) bytes += chunk.length;
  } finally {
    clearInterval(timer);
  }
  const seconds = (performance.now() - startedAt) / 1_000;
  return [
    {
      what: `${name} of a month of ${ENTRIES} entries: entries per second`,
      measured: `${(bytes / MEGABYTE).toFixed(0)} MB in ${seconds.toFixed(1)} s`,
      reference: "",
      value: Math.round(ENTRIES / seconds),
    },
    {
      what: `${name} of a month of ${ENTRIES} entries: growth of the API's resident memory, heap of ${HEAP_MB} MB, in MB`,
      measured: `${Math.round(peak / 1024)} MB`,
      reference: `${Math.round(before / 1024)} MB before`,
      value: Math.round((peak - before) / 1024),
      target: { below: 150 },
    },
  ];
}
