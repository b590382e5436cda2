import { pino } from "pino";
import { afterEach, describe, expect, it } from "vitest";
import type { Context } from "../../../src/context.js";
import { startDigests } from "../../../src/jobs/workers.js";
import { setMailAddresses } from "../../../src/mail/addresses.js";
import { createMailer } from "../../../src/mail/mailer.js";
import { composeDigest, planDigests } from "../../../src/reports/digests.js";
import { parseSmtpUrl } from "../../../src/settings.js";
import { startMailServer } from "../../support/mail-server.js";
import { createPaidOrder } from "../../support/orders.js";
import { payApi } from "../../support/requests.js";
import { createTestApi } from "../../support/test-api.js";
import { waitUntil } from "../../support/wait-until.js";

const contexts: Context[] = [];
const { sandbox, server, merchantId } = await createTestApi({
  change: (created) => {
    contexts.push(created);
    return created;
  },
});
const { pool, prisma } = sandbox.database;
const [context] = contexts;
if (context === undefined) throw new Error("the API has no context");
const administrator = await prisma.consoleUser.findUniqueOrThrow({
  where: { email: sandbox.access.administrator.email },
});

const mails = async () =>
  prisma.digestMail.findMany({ orderBy: [{ topic: "asc" }, { address: "asc" }, { createdAt: "asc" }] });
const subscribe = (topic: "approvals" | "summary", ...addresses: string[]) =>
  setMailAddresses(context, { merchantId, topic, addresses, administrator });
const textOf = async (id: string) => {
  const mail = await composeDigest(context, id);
  return `${mail?.subject}\n\n${mail?.text}`;
};

afterEach(async () => {
  await pool.query("DELETE FROM digest_mails");
  await pool.query("DELETE FROM mail_subscriptions");
});

describe("daily summary", () => {
  it("is scheduled once per address and day, even by several workers", async () => {
    await subscribe("summary", "boss@example.com", "Books@example.com");
    const planned = await Promise.all(Array.from({ length: 6 }, () => planDigests(context)));
    await planDigests(context);
    expect(planned.reduce((sum, count) => sum + count, 0)).toBe(2);
    expect((await mails()).map(({ address }) => address)).toEqual(["books@example.com", "boss@example.com"]);
    await pool.query("UPDATE digest_mails SET about = replace(about, right(about, 10), '2020-01-01')");
    expect(await planDigests(context)).toBe(2);
  });

  it("is not scheduled for a suspended merchant or a removed address", async () => {
    await subscribe("summary", "boss@example.com");
    await pool.query("UPDATE merchants SET suspended_at = now() WHERE id = $1", [merchantId]);
    expect(await planDigests(context)).toBe(0);
    await pool.query("UPDATE merchants SET suspended_at = NULL");
    await subscribe("summary");
    expect(await planDigests(context)).toBe(0);
  });

  it("contains the UTC day's totals per mode and currency", async () => {
    await subscribe("summary", "boss@example.com");
    await createPaidOrder(server, payApi(server, sandbox.access.merchant), { amount: 12.5, currency: "EUR" });
    await pool.query(
      "INSERT INTO digest_mails (topic, merchant_id, about, address) VALUES ('summary', $1, $2, 'a@example.com')",
      [merchantId, `${merchantId} ${new Date().toISOString().slice(0, 10)}`],
    );
    const [today] = await mails();
    const text = await textOf(today?.id ?? "");
    expect(text).toContain("(UTC)");
    expect(text).toMatch(/SANDBOX\nPayments .*12\.50.*, refunds .*0\.00/);
    expect(text).toMatch(/LIVE\nNo payments, refunds or payouts\./);
    await planDigests(context);
    const yesterday = (await mails()).find(({ address }) => address === "boss@example.com");
    expect(await textOf(yesterday?.id ?? "")).toMatch(/SANDBOX\nNo payments, refunds or payouts\./);
  });
});

describe("daily summary of a merchant with shops", () => {
  it("reports shops with differences and shops without a completed comparison for two days", async () => {
    const addShop = (site: string, completed: string) =>
      pool.query(
        `INSERT INTO shop_comparisons (merchant_id, mode, site, credential_id, day, compared, skipped, completed_at)
         SELECT merchant_id, mode, $1, id, current_date, 1, 0, now() - $2::interval FROM credentials WHERE client_id = $3`,
        [site, completed, sandbox.access.merchant.client_id],
      );
    await subscribe("summary", "boss@example.com");
    await planDigests(context);
    const read = async () => textOf((await mails())[0]?.id ?? "");
    await addShop("kiln.example", "47 hours");
    expect(await read()).not.toContain("shop");
    await addShop("late.example", "49 hours");
    await pool.query(
      `INSERT INTO shop_differences (merchant_id, mode, site, order_id, order_number, subject, subject_id, field, kind, text_values)
       VALUES ($1, 'sandbox', 'kiln.example', 'POS-1', '1', 'order', 'POS-1', 'state', 'open_not_wanted', '{}')`,
      [merchantId],
    );
    expect(await read()).toContain(
      "Needs attention:\n- Orders of a shop differ from Tillgate\n- A shop has not been compared for two days",
    );
    await pool.query("DELETE FROM shop_comparisons");
  });
});

describe("digest", () => {
  it("is sent over SMTP once by two workers", async () => {
    await subscribe("summary", "boss@example.com");
    const mailServer = await startMailServer();
    const smtp = parseSmtpUrl(`smtp://127.0.0.1:${mailServer.port}`);
    if (smtp === undefined) throw new Error("the SMTP URL is invalid");
    const from = { name: "Tillgate", address: "notices@example.com" };
    const log = pino({ level: "silent" });
    const workers = [1, 2].map(() =>
      startDigests({ ...context, log }, createMailer({ mail: { ...smtp, from, demandTls: false } })),
    );
    try {
      await waitUntil("the e-mail is sent", async () => (await mails())[0]?.status === "sent", 20_000);
      expect(mailServer.received.map(({ to }) => to)).toEqual([["boss@example.com"]]);
    } finally {
      await Promise.all(workers.map((worker) => worker.close()));
      await mailServer.close();
    }
  });

  it("has at most five recipient addresses, all of which must be valid", async () => {
    const wrong = async (...addresses: string[]) =>
      subscribe("summary", ...addresses).then(
        () => "taken",
        () => "refused",
      );
    expect(await wrong("nobody")).toBe("refused");
    expect(await wrong(...Array.from({ length: 6 }, (_, at) => `a${at}@example.com`))).toBe("refused");
    expect(await wrong(...Array.from({ length: 5 }, (_, at) => `a${at}@example.com`))).toBe("taken");
    expect(await planDigests(context)).toBe(5);
  });
});

describe("approval digest", () => {
  it("is sent to administrators and the merchant's addresses at most hourly, and only if something new is pending", async () => {
    await subscribe("approvals", "boss@example.com");
    expect(await planDigests(context)).toBe(0);
    await pool.query("UPDATE merchants SET refunds_need_approval = true WHERE id = $1", [merchantId]);
    const shop = payApi(server, sandbox.access.merchant);
    const refund = async () => {
      const { trxId } = await createPaidOrder(server, shop);
      await shop.post("/refunds", { transaction_id: trxId, amount: 1 });
    };
    await refund();
    const administrators = await prisma.consoleUser.count({
      where: { role: "administrator", disabledAt: null },
    });
    await Promise.all(Array.from({ length: 4 }, () => planDigests(context)));
    expect(await mails()).toHaveLength(administrators + 1);
    const toMerchant = (await mails()).find(({ address }) => address === "boss@example.com");
    expect(await textOf(toMerchant?.id ?? "")).toContain("1 refund");
    // A new item within the hour waits for the next digest; old items alone are not sent again.
    await refund();
    expect(await planDigests(context)).toBe(0);
    await pool.query("UPDATE digest_mails SET about = about || ' before'");
    expect(await planDigests(context)).toBe(administrators + 1);
    await pool.query("UPDATE digest_mails SET about = about || ' long'");
    expect(await planDigests(context)).toBe(0);
    await pool.query("UPDATE merchants SET refunds_need_approval = false");
  });
});
