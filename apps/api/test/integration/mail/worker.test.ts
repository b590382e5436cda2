import { afterAll, beforeAll, expect, it } from "vitest";
import { type MailServer, startMailServer } from "../../support/mail-server.js";
import { waitUntil } from "../../support/wait-until.js";
import { type OutboxHarness, openOutboxHarness } from "../outbox/support/harness.js";

let engine: OutboxHarness;
let server: MailServer;

beforeAll(async () => {
  engine = await openOutboxHarness();
  server = await startMailServer({ authOptional: false, allowInsecureAuth: true });
});
afterAll(async () => {
  await engine.close();
  await server.close();
});

it("workers with a mail server configured notify the merchant of a disabled endpoint once", async () => {
  const settings = {
    TILLGATE_SMTP_URL: `smtp://mailer:right%20p%40ss@127.0.0.1:${server.port}`,
    TILLGATE_MAIL_FROM: "Tillgate <notices@example.com>",
  };
  await Promise.all([engine.start(settings), engine.start(settings)]);
  const { id } = await engine.sandbox.addReceiver(engine.receiver.urlOf("/410"), ["pos.order.paid"]);
  const order = await engine.createPaidOrder();
  await engine.waitForDelivery(order, "the delivery has failed", ({ status }) => status === "failed");
  expect((await engine.receiverOf(id)).disabled_reason).toBe("gone");
  const mail = await waitUntil("the notice e-mail arrives", () => server.received[0], 20_000);
  expect(mail).toMatchObject({ to: [engine.sandbox.access.merchant_user.email], user: "mailer" });
  expect(mail.raw).toContain("From: Tillgate <notices@example.com>");
  expect(mail.raw).toContain(id);
  await waitUntil("the e-mail is recorded as sent", async () => {
    const { rows } = await engine.sandbox.database.pool.query("SELECT status::text FROM notice_mails");
    return rows.length === 1 && rows[0]?.status === "sent";
  });
  expect(server.received).toHaveLength(1);
});
