import { generate } from "selfsigned";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { createMailer } from "../../../src/mail/mailer.js";
import { parseSmtpUrl } from "../../../src/settings.js";
import { type MailServer, startMailServer } from "../../support/mail-server.js";

const MAIL = { id: "1b4e28ba-2fa1-41d2-883f-0016d3cca427", to: "web@shop.example", subject: "S", text: "T" };
const FROM = { name: "", address: "notices@example.com" };
let certificate: { key: string; cert: string };
let server: MailServer | undefined;

beforeAll(async () => {
  const { private: key, cert } = await generate([{ name: "commonName", value: "localhost" }], {
    extensions: [{ name: "subjectAltName", altNames: [{ type: 2, value: "localhost" }] }],
  });
  certificate = { key, cert };
});
afterEach(() => server?.close());

/**
 * Sends an e-mail to the mail server.
 * @param url TILLGATE_SMTP_URL, with PORT in place of the port
 * @returns the received e-mail
 */
async function send(
  url: string,
  { demandTls = true, ca = certificate.cert }: { demandTls?: boolean; ca?: string | undefined } = {},
) {
  const smtp = parseSmtpUrl(url.replace("PORT", String(server?.port)));
  if (!smtp) throw new Error("the SMTP URL is invalid");
  const mailer = createMailer({ mail: { ...smtp, demandTls, from: FROM }, ca: ca === "" ? undefined : ca });
  await mailer.send(MAIL);
  return server?.received[0];
}
const sendError = async (...options: Parameters<typeof send>): Promise<string> =>
  send(...options).then(
    () => "sent",
    (error: Error) => `${error.name}: ${error.message}`,
  );

describe("TILLGATE_SMTP_URL connection", () => {
  it("with smtps://, uses TLS from the start and authenticates with the URL's user and password", async () => {
    server = await startMailServer({ secure: true, authOptional: false, ...certificate });
    expect(await send("smtps://mail%40example:right%20p%40ss@localhost:PORT")).toMatchObject({
      encrypted: true,
      user: "mail@example",
    });
  });

  it("with smtp://, requires STARTTLS and sends nothing, not even the password, to a server without it", async () => {
    server = await startMailServer({ authOptional: false, disabledCommands: [], ...certificate });
    expect(await send("smtp://mail:right%20p%40ss@localhost:PORT")).toMatchObject({
      encrypted: true,
      user: "mail",
    });
    await server.close();
    let callCount = 0;
    server = await startMailServer({
      allowInsecureAuth: true,
      onAuth(_auth, _session, done) {
        callCount += 1;
        done(null, { user: "u" });
      },
    });
    expect(await sendError("smtp://mail:right%20p%40ss@localhost:PORT")).toMatch(/^MailError: ETLS/);
    expect({ asked: callCount, taken: server.received }).toEqual({ asked: 0, taken: [] });
  });

  it("rejects an untrusted certificate, except with smtp:// where plain connections are allowed", async () => {
    server = await startMailServer({ disabledCommands: [], ...certificate });
    expect(await sendError("smtp://localhost:PORT", { ca: "" })).toMatch(/^MailError/);
    expect(await send("smtp://localhost:PORT", { ca: "", demandTls: false })).toMatchObject({
      encrypted: true,
    });
    await server.close();
    server = await startMailServer({ secure: true, ...certificate });
    expect(await sendError("smtps://localhost:PORT", { ca: "", demandTls: false })).toMatch(/^MailError/);
  });

  it("reports wrong credentials as a retryable error that does not contain them", async () => {
    server = await startMailServer({ secure: true, authOptional: false, ...certificate });
    const failed = send("smtps://mail:wrong-password@localhost:PORT");
    await expect(failed).rejects.toMatchObject({
      message: "EAUTH 535 to AUTH",
      about: { final: false, unreachable: true },
    });
    await expect(failed.catch((error: unknown) => JSON.stringify(error))).resolves.not.toContain("wrong");
  });
});
