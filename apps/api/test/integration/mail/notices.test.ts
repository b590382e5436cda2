import type pg from "pg";
import { pino } from "pino";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { startNoticeMails } from "../../../src/events/notices.js";
import { createMailer } from "../../../src/mail/mailer.js";
import { MAIL_STEPS_MS } from "../../../src/mail/queue.js";
import { parseSmtpUrl } from "../../../src/settings.js";
import { type MailServer, startMailServer } from "../../support/mail-server.js";
import { createTestSandbox } from "../../support/test-api.js";
import { waitUntil } from "../../support/wait-until.js";

const FROM = { name: "Tillgate", address: "notices@example.com" };
let merchantId: string;
let memberEmail: string;
const running: { close(): Promise<void> }[] = [];

const sandbox = await createTestSandbox();
beforeAll(async () => {
  const { prisma } = sandbox.database;
  memberEmail = sandbox.access.merchant_user.email;
  ({ merchantId } = await prisma.credential.findFirstOrThrow({
    where: { clientId: sandbox.access.merchant.client_id },
  }));
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((item) => item.close()));
  await query("DELETE FROM notice_mails");
  await query("UPDATE merchants SET notice_email = NULL");
});

const query = async <Row extends pg.QueryResultRow>(sql: string, values: unknown[] = []) =>
  (await sandbox.database.pool.query<Row>(sql, values)).rows;
const mails = () =>
  query<{
    id: string;
    address: string;
    status: string;
    attempts: number;
    last_error: string | null;
    wait_ms: number;
    settled: boolean;
  }>(
    `SELECT *, settled_at IS NOT NULL AS settled, (extract(epoch FROM next_attempt_at - clock_timestamp()) * 1000)::float8 AS wait_ms
     FROM notice_mails ORDER BY address`,
  );
const onlyMail = async () => {
  const [mail, ...more] = await mails();
  if (!mail || more.length > 0) throw new Error(`expected one e-mail, found ${more.length + (mail ? 1 : 0)}`);
  return mail;
};
const status = (wanted: string) =>
  waitUntil(`the e-mail is ${wanted}`, async () => {
    const mail = await onlyMail();
    return mail.status === wanted && mail;
  });
const makeMailsDue = () => query("UPDATE notice_mails SET next_attempt_at = clock_timestamp()");

/** Adds an endpoint whose URL contains a secret. */
async function addReceiver(mode: "sandbox" | "live" = "sandbox"): Promise<string> {
  const { id } = await sandbox.database.prisma.receiver.create({
    data: {
      merchantId,
      mode,
      address: `https://shop.example/hook/${crypto.randomUUID()}?token=of-the-path`,
      events: ["pos.order.paid"],
      secretCiphertext: Buffer.from("x"),
      encryptionKeyId: "k1",
    },
  });
  return id;
}
const recordFailedAttempt = (receiver: string, response: number | null = 500) =>
  query("SELECT record_receiver_failure($1, 'shop.example', $2, $3, clock_timestamp())", [
    receiver,
    response === null ? "timeout" : "status",
    response,
  ]);
const createDisabledEndpoint = async () => {
  const receiver = await addReceiver();
  await recordFailedAttempt(receiver, 410);
  return receiver;
};

/** Starts the mail worker, woken 20 times a second, and captures its log. */
function start(server: { port: number } | undefined, url = `smtp://127.0.0.1:${server?.port}`) {
  const smtp = server && parseSmtpUrl(url);
  const logged: string[] = [];
  const loop = startNoticeMails({
    pool: sandbox.database.pool,
    mailer: smtp && createMailer({ mail: { ...smtp, from: FROM, demandTls: false } }),
    retentionDays: 400,
    log: pino({ level: "trace" }, { write: (line: string) => void logged.push(line) }),
  });
  const waking = setInterval(() => loop.wake(), 50);
  const worker = {
    logged: () => logged.join(""),
    async close() {
      clearInterval(waking);
      await loop.close();
    },
  };
  running.push(worker);
  return worker;
}
async function mailServer(...options: Parameters<typeof startMailServer>): Promise<MailServer> {
  const server = await startMailServer(...options);
  running.push(server);
  return server;
}

describe("notice e-mails", () => {
  it("are sent only once even with four workers, to the notice address, with the remedy and without secrets", async () => {
    await query("UPDATE merchants SET notice_email = 'web@shop.example' WHERE id = $1", [merchantId]);
    const receiver = await createDisabledEndpoint();
    const server = await mailServer();
    for (let i = 0; i < 4; i += 1) start(server);
    const { id } = await status("sent");
    await makeMailsDue();
    const [mail, ...more] = server.received;
    expect(more).toEqual([]);
    expect(mail).toMatchObject({ to: ["web@shop.example"], from: "notices@example.com" });
    const [head = "", ...rest] = mail?.raw.split("\r\n\r\n") ?? [];
    const body = rest.join("\n\n").replaceAll("=\r\n", "");
    expect(head).toContain("Subject: Tillgate: webhooks to shop.example are disabled");
    expect(head).toContain(`Message-ID: <notice-${id}@example.com>`);
    expect(head).toContain("Auto-Submitted: auto-generated");
    expect(head).toMatch(/Content-Type: text\/plain/);
    for (const part of [receiver, "sandbox mode", "HTTP 410", "webhooks enable", "send-missed", "400 days"])
      expect(body).toContain(part);
    expect(mail?.raw).not.toMatch(/of-the-path|\/hook/);
  });

  it("go to all enabled console users of the merchant if no notice address is set", async () => {
    const { prisma } = sandbox.database;
    const more = await Promise.all(
      ["second@shop.example", "former@shop.example"].map((email) =>
        prisma.consoleUser.create({
          data: {
            email,
            role: "merchant",
            members: { create: { merchantId, role: "viewer" } },
            passwordHash: "x",
            disabledAt: email.startsWith("former") ? new Date() : null,
          },
        }),
      ),
    );
    await createDisabledEndpoint();
    expect((await mails()).map(({ address }) => address)).toEqual(
      [memberEmail, "second@shop.example"].sort(),
    );
    await prisma.consoleUser.deleteMany({ where: { id: { in: more.map(({ id }) => id) } } });
  });

  it("are sent at most once a day about a failing endpoint, and state when and why it will be disabled and how many events are pending", async () => {
    const receiver = await addReceiver("live");
    const warn = async () => {
      for (let i = 0; i < 5; i += 1) await recordFailedAttempt(receiver, null);
      await query("SELECT record_receiver_success($1)", [receiver]);
    };
    await warn();
    await warn();
    const entries = await query("SELECT FROM timeline_entries WHERE receiver_id = $1", [receiver]);
    expect(entries).toHaveLength(2);
    expect(await mails()).toHaveLength(1);
    const server = await mailServer();
    start(server);
    await status("sent");
    const raw = server.received[0]?.raw.replaceAll("=\r\n", "") ?? "";
    expect(raw).toContain("webhooks to shop.example are failing");
    expect(raw).toContain("live mode");
    expect(raw).toContain("Pending events: 0");
    expect(raw).toContain("took too long to respond");
    expect(raw).toMatch(/still failing on \d{4}-\d\d-\d\d \d\d:\d\d UTC, it will be disabled/);
    expect(raw).toContain("has recovered since");
    // A day later, another e-mail is sent.
    await query(
      "UPDATE timeline_entries SET created_at = created_at - interval '1 day' WHERE receiver_id = $1",
      [receiver],
    );
    await warn();
    expect(await mails()).toHaveLength(2);
  });
});

describe("notice e-mails", () => {
  it("are sent later with the same Message-ID if the mail server returns 4xx or disconnects", async () => {
    const server = await mailServer();
    server.rejectNext(451, "close");
    await createDisabledEndpoint();
    const worker = start(server);
    for (const attempts of [1, 2]) {
      const mail = await waitUntil("the e-mail waits for another attempt", async () => {
        const one = await onlyMail();
        return one.attempts === attempts && one.last_error !== null && one;
      });
      expect(mail.status).toBe("waiting");
      expect(mail.wait_ms / (MAIL_STEPS_MS[attempts - 1] ?? Number.NaN)).toBeGreaterThan(0.9);
      await query("UPDATE notice_mails SET last_error = NULL, next_attempt_at = clock_timestamp()");
    }
    const { id } = await status("sent");
    expect(server.received).toHaveLength(1);
    expect(server.received[0]?.raw).toContain(`<notice-${id}@example.com>`);
    expect(worker.logged()).toContain("notice_mail_postponed");
    expect(worker.logged()).not.toContain(memberEmail);
  });

  it("stay queued while the mail server is down, and are sent when it recovers", async () => {
    const gone = await startMailServer();
    await gone.close();
    for (let i = 0; i < 3; i += 1) await createDisabledEndpoint();
    const worker = start(gone);
    await waitUntil("all e-mails are attempted", async () =>
      (await mails()).every(({ attempts }) => attempts > 0),
    );
    expect((await mails()).map((mail) => mail.status)).toEqual(["waiting", "waiting", "waiting"]);
    expect(worker.logged()).toContain("ECONNREFUSED");
    const server = await mailServer({}, gone.port);
    await waitUntil("all e-mails are sent", async () => {
      // A failed attempt may be recorded late and postpone its e-mail.
      await makeMailsDue();
      return (await mails()).every((mail) => mail.status === "sent");
    });
    expect(new Set(server.received.map(({ raw }) => /Message-ID: (.*)/i.exec(raw)?.[1])).size).toBe(3);
  });

  it("are sent again by another worker after the lease expires if the first worker dies before recording that they were accepted", async () => {
    await createDisabledEndpoint();
    await query(
      "UPDATE notice_mails SET attempts = 1, leased_by = gen_random_uuid(), leased_until = clock_timestamp() + interval '1 hour'",
    );
    const server = await mailServer();
    start(server);
    await query("UPDATE notice_mails SET leased_until = clock_timestamp() + interval '300 milliseconds'");
    expect((await status("sent")).attempts).toBe(2);
    expect(server.received).toHaveLength(1);
  });

  it("stay queued if the mail server hangs at shutdown, and the shutdown does not wait for the mail server", async () => {
    const server = await mailServer({ onData: (stream) => void stream.resume() });
    await createDisabledEndpoint();
    const worker = start(server);
    await waitUntil("the e-mail is being sent", () => server.connections === 1);
    const startedAt = performance.now();
    await worker.close();
    expect(performance.now() - startedAt).toBeLessThan(5_000);
    expect(await onlyMail()).toMatchObject({ status: "waiting", last_error: null });
    expect((await onlyMail()).wait_ms).toBeLessThanOrEqual(0);
  });
});

describe("notice e-mail", () => {
  it("is abandoned, logged and counted when the server rejects its recipient permanently", async () => {
    const server = await mailServer();
    server.rejectNext(550);
    await createDisabledEndpoint();
    const worker = start(server);
    expect(await status("given_up")).toMatchObject({
      attempts: 1,
      settled: true,
      last_error: "EENVELOPE 550 to RCPT",
    });
    expect(worker.logged()).toContain("notice_mail_abandoned");
    const text = await (await sandbox.startApi()).metrics();
    expect(text).toContain('tillgate_notice_mails{status="given_up"} 1');
    expect(text).toContain("tillgate_mail_configured 0");
  });

  it("is abandoned after its last attempt, and not before", async () => {
    const server = await mailServer();
    await createDisabledEndpoint();
    const last = MAIL_STEPS_MS.length;
    await query("UPDATE notice_mails SET attempts = $1", [last - 1]);
    server.rejectNext(451, 451);
    start(server);
    await waitUntil(
      "the e-mail is attempted",
      async () => (await onlyMail()).attempts === last && (await onlyMail()).last_error,
    );
    expect((await onlyMail()).status).toBe("waiting");
    await makeMailsDue();
    expect((await status("given_up")).attempts).toBe(last + 1);
  });

  it("is abandoned and logged four days after the notice if e-mail is not configured", async () => {
    await createDisabledEndpoint();
    await query("UPDATE notice_mails SET created_at = clock_timestamp() - interval '95 hours'");
    const worker = start(undefined);
    const waiting = await addReceiver();
    await query("UPDATE notice_mails SET created_at = clock_timestamp() - interval '97 hours'");
    await recordFailedAttempt(waiting, 410);
    await waitUntil("the old notice has failed", async () =>
      (await mails()).some((mail) => mail.status === "given_up"),
    );
    expect((await mails()).map((mail) => mail.status).sort()).toEqual(["given_up", "waiting"]);
    expect(worker.logged()).toContain("mail is not configured");
  });

  it("is abandoned unsent if its address is invalid", async () => {
    await createDisabledEndpoint();
    await query("UPDATE notice_mails SET address = $1", ["a@b.example\r\nBcc: all@b.example"]);
    const server = await mailServer();
    start(server);
    expect((await status("given_up")).last_error).toBe("no valid e-mail address");
    expect(server.received).toEqual([]);
  });
});

describe("e-mail headers", () => {
  it("cannot be injected through a notice address, because the database rejects an invalid one", async () => {
    for (const address of [
      "a@b.example\nBcc: c@d.example",
      "a@b.example, c@d.example",
      "<a@b.example>",
      "a b@c.example",
      "a",
    ])
      await expect(query("UPDATE merchants SET notice_email = $1", [address])).rejects.toThrow(
        "merchants_notice_email",
      );
  });

  it("cannot be injected by a merchant's name", async () => {
    const { name } = await sandbox.database.prisma.merchant.findUniqueOrThrow({ where: { id: merchantId } });
    await query("UPDATE merchants SET name = $1 WHERE id = $2", [
      "Shop\r\nBcc: x@y.example\r\n\r\nHi",
      merchantId,
    ]);
    await createDisabledEndpoint();
    const server = await mailServer();
    start(server);
    await status("sent");
    expect(server.received[0]?.to).toEqual([memberEmail]);
    expect(server.received[0]?.raw).not.toMatch(/^(Bcc|Hi)/m);
    await query("UPDATE merchants SET name = $1 WHERE id = $2", [name, merchantId]);
  });
});
