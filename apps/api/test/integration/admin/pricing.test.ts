import { createHash, randomUUID } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readPayoutFacts } from "../../../src/money/payouts/facts.js";
import { addPartner } from "../../support/partner.js";
import { type AdminCli, expectNoChanges, openAdminCli } from "./admin-cli.js";

let admin: AdminCli;
let by: string[];
let folder: string;

beforeAll(async () => {
  admin = await openAdminCli();
  by = ["--by", admin.first];
  folder = await mkdtemp(path.join(tmpdir(), "tillgate-rates-"));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await admin.close();
});

async function csv(content: string | Uint8Array): Promise<string> {
  const file = path.join(folder, `${randomUUID()}.csv`);
  await writeFile(file, content);
  return file;
}

/**
 * Adds a partner. `read` returns the current rate, fee and terms of the partner's payouts from EUR to USD.
 */
async function readPricing() {
  const partner = await addPartner(admin.sandbox);
  const read = async () =>
    readPayoutFacts(admin.context, partner, { sender_currency: "EUR", receiver_currency: "USD" });
  return { partner, read };
}

describe("currencies", () => {
  it("are added with ISO 4217's decimal places and with house accounts in both modes", async () => {
    const added = await admin.runJson("currencies", "add", "gbp", "--name", "Pound sterling", ...by);
    expect(added).toMatchObject({
      currency: "GBP",
      digits: 2,
      symbol: "£",
      active: true,
      single_limit: "0.00",
    });
    const house = await admin.sandbox.database.prisma.account.findMany({ where: { currency: "GBP" } });
    expect(house.map(({ mode, kind }) => `${mode} ${kind}`).sort()).toEqual([
      "live fees",
      "live funding",
      "live fx",
      "sandbox fees",
      "sandbox funding",
      "sandbox fx",
      "sandbox issuing",
    ]);
    expect((await admin.runRejected("currencies", "add", "GBP", "--name", "Again", ...by)).code).toBe(
      "already_exists",
    );
  });

  it("require --digits for codes that ISO 4217 does not define, and otherwise must have the standard's number of decimal places", async () => {
    expect(
      (await admin.runRejected("currencies", "add", "POINTS", "--name", "Points", ...by)).message,
    ).toContain("specify its decimal places");
    const points = [
      "currencies",
      "add",
      "POINTS",
      "--name",
      "Points",
      "--digits",
      "0",
      "--type",
      "crypto",
      ...by,
    ];
    expect(await expectNoChanges(admin, () => admin.runJson(...points, "--dry-run"))).toMatchObject({
      dry_run: true,
    });
    expect(await admin.runJson(...points)).toMatchObject({ digits: 0, symbol: "POINTS", type: "crypto" });
    expect(
      (await admin.runRejected("currencies", "add", "CHF", "--name", "Franc", "--digits", "3", ...by)).code,
    ).toBe("invalid_value");
  });

  it("can be deactivated and activated; repeating either changes nothing", async () => {
    expect(await admin.runJson("currencies", "deactivate", "JPY", ...by)).toMatchObject({
      active: false,
      changed: true,
    });
    expect(
      await expectNoChanges(admin, () => admin.runJson("currencies", "deactivate", "JPY", ...by)),
    ).toMatchObject({
      changed: false,
    });
    expect(await admin.runJson("currencies", "activate", "JPY", ...by)).toMatchObject({
      active: true,
      changed: true,
    });
    expect(
      await expectNoChanges(admin, () => admin.runJson("currencies", "activate", "JPY", ...by)),
    ).toMatchObject({ changed: false });
    expect((await admin.auditRecords()).at(-1)).toMatchObject({
      action: "currency.activate",
      subject: "JPY",
    });
  });
});

describe("rates", () => {
  const set = (rate: string, ...more: string[]) => [
    "rates",
    "set",
    "EUR",
    "USD",
    rate,
    "--mode",
    "sandbox",
    ...more,
    ...by,
  ];

  it("take effect at their effective time, reduced by their spread", async () => {
    const { read } = await readPricing();
    await admin.runJson(...set("1.1", "--spread-percent", "2"));
    expect((await read()).rate).toBe("1.078");
    await admin.runJson(...set("9.9", "--effective-from", "2999-01-01T00:00:00+02:00"));
    expect((await read()).rate).toBe("1.078");
    const rows = (await admin.runList("rates", "list", "--mode", "sandbox")).filter(
      ({ base, quote }) => base === "EUR" && quote === "USD",
    );
    expect(rows).toMatchObject([
      { rate: "9.9", standing: "future", effective_from: "2998-12-31T22:00:00+00:00" },
      { rate: "1.1", spread_percent: "2", rate_after_spread: "1.078", standing: "in effect" },
    ]);
    expect(await admin.runList("rates", "list", "--mode", "live")).toEqual([]);
  });

  it("are not written with --dry-run or an invalid value", async () => {
    await expectNoChanges(admin, () => admin.runJson(...set("1.3"), "--dry-run"));
    for (const words of [
      set("0"),
      set("1e3"),
      set("1", "--spread-percent", "100"),
      set("1", "--effective-from", "now"),
    ])
      expect((await expectNoChanges(admin, () => admin.runRejected(...words))).code).toBe("invalid_value");
    expect(
      (await admin.runRejected("rates", "set", "EUR", "XYZ", "1", "--mode", "live", ...by)).message,
    ).toBe("Unknown currency: XYZ.");
  });

  it("are imported with one audit record, whose subject is the file's SHA-256 hash", async () => {
    const content =
      "\u{FEFF}quote,base,rate,spread_percent,effective_from\n" +
      "USD,eur,1.25,1,2026-01-01T00:00:00Z\r\nEUR,USD,0.8,,\nXAF,EUR,655.957,0.5,2999-01-01T00:00:00Z\n";
    const file = await csv(content);
    const dry = await expectNoChanges(admin, () =>
      admin.runJson("rates", "import", file, "--mode", "live", ...by, "--dry-run"),
    );
    expect(dry).toMatchObject({ rates: 3, dry_run: true });
    expect(await admin.runJson("rates", "import", file, "--mode", "live", ...by)).toMatchObject({ rates: 3 });
    expect(await admin.runList("rates", "list", "--mode", "live")).toMatchObject([
      { base: "EUR", quote: "USD", rate: "1.25", rate_after_spread: "1.2375" },
      { base: "EUR", quote: "XAF", standing: "future" },
      { base: "USD", quote: "EUR", rate: "0.8", spread_percent: "0" },
    ]);
    const records = (await admin.auditRecords()).filter(
      ({ action, subject }) => action === "rate.import" && subject !== "sandbox",
    );
    expect(records).toMatchObject([
      {
        subject: createHash("sha256").update(content).digest("hex"),
        details: { mode: "live", rates: 3 },
      },
    ]);
  });

  it("are not imported if any line is invalid, and each error has its line number", async () => {
    const file = await csv(
      [
        "base,quote,rate,spread_percent,effective_from",
        "EUR,USD,1.1,0,2026-01-01T00:00:00Z",
        "EUR,EUR,1,0,",
        "EUR,XYZ,1,0,",
        "",
        "EUR,USD,-1,100,yesterday",
        "EUR,USD",
        "EUR,USD,1.2,0,2026-01-01T01:00:00+01:00",
      ].join("\n"),
    );
    const rejection = await expectNoChanges(admin, () =>
      admin.runRejected("rates", "import", file, "--mode", "live", ...by),
    );
    expect(rejection.message).toBe("5 of 6 lines cannot be imported; nothing was written.");
    expect(rejection.lines).toEqual([
      "Line 3: A rate needs two different currencies.",
      "Line 4: Unknown currency: XYZ.",
      expect.stringMatching(/^Line 6: The rate \(-1\) .+ The spread \(100\) .+ The time \(yesterday\) .+/),
      "Line 7: It has 2 fields, but the header has 5.",
      "Line 8: It repeats line 2: same currencies and time.",
    ]);
  });

  it.each([
    ["", "The file is empty"],
    ["base,quote,rate\n", "no rates"],
    ["base,quote\nEUR,USD", "column rate is missing"],
    ["base,quote,rate,note\n", "Unknown column note"],
    ["base,quote,rate,rate\nEUR,USD,1,1", "appears twice"],
    ['base,quote,rate\nEUR,"USD,1', "Line 2 has an unclosed quote"],
    [new Uint8Array([0xff, 0xfe, 0x00]), "not UTF-8"],
  ])("are not imported from a file with the content %j", async (content, reported) => {
    const file = await csv(content);
    expect((await admin.runRejected("rates", "import", file, "--mode", "live", ...by)).message).toContain(
      reported,
    );
  });

  it("are not imported if the file does not exist", async () => {
    const rejection = await admin.runRejected(
      "rates",
      "import",
      path.join(folder, "none.csv"),
      "--mode",
      "live",
      ...by,
    );
    expect(rejection.message).toContain("cannot be read");
  });
});

describe("fees", () => {
  it("can be overridden for a merchant until the override is removed", async () => {
    const { partner, read } = await readPricing();
    const fee = async () => (await read()).fee;
    await admin.runJson(
      "fees",
      "set",
      "EUR",
      "--mode",
      "sandbox",
      "--fixed",
      "0.30",
      "--percent",
      "0.75",
      ...by,
    );
    expect(await fee()).toEqual({ fixed: 30n, percent: "0.75" });
    const own = ["EUR", "--mode", "sandbox", "--merchant", partner.merchantId];
    await admin.runJson("fees", "set", ...own, "--fixed", "0", "--percent", "0", ...by);
    expect(await fee()).toEqual({ fixed: 0n, percent: "0" });
    await admin.runJson("fees", "set", ...own, "--fixed", "1", "--percent", "0.1", ...by);
    expect(
      (await admin.runList("fees", "list")).filter(({ merchant }) => merchant === "Remit & Co"),
    ).toMatchObject([{ mode: "sandbox", currency: "EUR", fixed: "1.00", percent: "0.1" }]);
    await admin.runJson("fees", "remove", ...own, ...by);
    expect(await fee()).toEqual({ fixed: 30n, percent: "0.75" });
    expect((await admin.runRejected("fees", "remove", ...own, ...by)).code).toBe("not_found");
    const records = await admin.runList("audit", "show", "--merchant", partner.merchantId);
    expect(records.map(({ action }) => action)).toEqual(["fee.remove", "fee.set", "fee.set"]);
  });

  it("have one schedule per currency and mode, even if set concurrently", async () => {
    await Promise.all(
      Array.from({ length: 6 }, (_, at) =>
        admin.runJson(
          "fees",
          "set",
          "KWD",
          "--mode",
          "live",
          "--fixed",
          `0.00${at}`,
          "--percent",
          "1",
          ...by,
        ),
      ),
    );
    expect((await admin.runList("fees", "list")).filter(({ currency }) => currency === "KWD")).toHaveLength(
      1,
    );
  });

  it.each([
    ["0.001", "1"],
    ["-1", "1"],
    ["1", "100.1"],
    ["1", "1.1234567"],
    ["x", "1"],
  ])("cannot be set to a fixed amount of %s plus %s percent", async (fixed, percent) => {
    const words = ["fees", "set", "EUR", "--mode", "live", `--fixed=${fixed}`, "--percent", percent, ...by];
    expect((await expectNoChanges(admin, () => admin.runRejected(...words))).code).toBe("invalid_value");
  });
});

describe("limits", () => {
  it("can be set and removed, do not change if omitted, and survive disabling and enabling the currency", async () => {
    const { partner, read } = await readPricing();
    const walletArgs = [partner.merchantId, "EUR", "--mode", "sandbox"];
    await admin.runJson("limits", "set", ...walletArgs, "--daily", "100", "--review-above", "0", ...by);
    expect((await read()).terms).toEqual({ reviewAbove: 0n });
    expect(await admin.runList("limits", "list", "--merchant", partner.merchantId)).toMatchObject([
      { currency: "EUR", daily: "100.00", monthly: null },
    ]);
    expect(
      await admin.runJson(
        "limits",
        "set",
        ...walletArgs,
        "--daily",
        "none",
        "--per-transaction",
        "12.5",
        ...by,
      ),
    ).toMatchObject({ daily: null, per_transaction: "12.50", review_above: "0.00", changed: true });
    await admin.runJson("limits", "disable", ...walletArgs, ...by);
    expect((await read()).terms).toBeNull();
    await admin.runJson("limits", "enable", ...walletArgs, ...by);
    expect((await read()).terms).toEqual({ reviewAbove: 0n });
    expect(await admin.runList("limits", "list", "--merchant", partner.merchantId)).toMatchObject([
      { mode: "sandbox", currency: "EUR", per_transaction: "12.50", daily: null, used_today: "0.00" },
    ]);
    const [, , second] = await admin.runList("audit", "show", "--merchant", partner.merchantId);
    expect(JSON.parse(String(second?.details))).toEqual({
      mode: "sandbox",
      perTransaction_before: null,
      perTransaction_after: "12.50",
      daily_before: "100.00",
      daily_after: null,
    });
  });

  it("are unset for a currency that is enabled for the first time", async () => {
    const { merchantId } = await addPartner(admin.sandbox);
    expect(await admin.runJson("limits", "enable", merchantId, "XAF", "--mode", "live", ...by)).toMatchObject(
      {
        authorised: true,
        per_transaction: null,
        daily: null,
        monthly: null,
      },
    );
  });

  it("cannot be set to an invalid amount or without any option, and --dry-run writes nothing", async () => {
    const { merchantId } = await addPartner(admin.sandbox);
    const walletArgs = [merchantId, "XAF", "--mode", "sandbox"];
    for (const words of [["--daily", "1.5"], ["--daily", "lots"], []])
      expect(
        (
          await expectNoChanges(admin, () =>
            admin.runRejected("limits", "set", ...walletArgs, ...words, ...by),
          )
        ).code,
      ).toBe("invalid_value");
    const dry = await expectNoChanges(admin, () =>
      admin.runJson("limits", "set", ...walletArgs, "--monthly", "500", ...by, "--dry-run"),
    );
    expect(dry).toMatchObject({ monthly: "500", dry_run: true });
  });
});
