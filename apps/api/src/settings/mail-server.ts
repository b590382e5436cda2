import { isLoopbackHost, parseAddress } from "@tillgate/contract";
import { z } from "zod";

/** The mail server, and the sender of mails. */
export type MailSettings = {
  host: string;
  port: number;
  /** TLS from the first byte on (smtps). */
  implicitTls: boolean;
  credentials: { user: string; password: string } | undefined;
  /** Whether STARTTLS is required, and the certificate checked: everywhere but on this machine. */
  demandTls: boolean;
  from: { name: string; address: string };
};

export type SmtpServer = Omit<MailSettings, "from" | "demandTls">;

/** The ports for sending programs: RFC 6409, RFC 8314. */
const SUBMISSION_PORT = 587;
const SUBMISSIONS_PORT = 465;
const MAX_NAME_LENGTH = 100;

/** Characters that would end a line of a header or a command. */
const hasControls = (text: string): boolean => /\p{Cc}/u.test(text);

/**
 * Reads `smtp://` (STARTTLS) or `smtps://` (TLS from the start), with user and password percent-encoded. The text is a
 * secret: never log it.
 * @returns undefined for anything else.
 */
export function parseSmtpUrl(text: string): SmtpServer | undefined {
  const url = hasControls(text) ? undefined : parseAddress(text);
  if (url === undefined) return undefined;
  const { protocol, hostname, port, username, password, pathname, search, hash } = url;
  if (protocol !== "smtp:" && protocol !== "smtps:") return undefined;
  if (hostname === "" || !["", "/"].includes(pathname) || search !== "" || hash !== "" || port === "0")
    return undefined;
  if ((username === "") !== (password === "")) return undefined;
  const user = decoded(username);
  const secret = decoded(password);
  if (user === undefined || secret === undefined) return undefined;
  const implicitTls = protocol === "smtps:";
  return {
    host: hostname.replace(/^\[(.*)\]$/, "$1"),
    port: port === "" ? (implicitTls ? SUBMISSIONS_PORT : SUBMISSION_PORT) : Number(port),
    implicitTls,
    credentials: user === "" ? undefined : { user, password: secret },
  };
}

function decoded(text: string): string | undefined {
  try {
    const plain = decodeURIComponent(text);
    return hasControls(plain) ? undefined : plain;
  } catch {
    // A lone % is no encoding.
    return undefined;
  }
}

/** Reads `notices@example.com` or `Tillgate <notices@example.com>`. @returns undefined for anything else. */
export function parseSender(text: string): MailSettings["from"] | undefined {
  const [, name = "", inBrackets, alone = ""] = /^(?:([^<>]*)<([^<>]*)>|([^<>]*))$/.exec(text.trim()) ?? [];
  const address = (inBrackets ?? alone).trim();
  if (hasControls(text) || name.length > MAX_NAME_LENGTH || !z.email().safeParse(address).success)
    return undefined;
  return { name: name.trim(), address };
}

/** TLS is required unless the mail server is on this machine, or on a host where development accepts plain connections. */
export const mustBeEncrypted = (
  { host }: SmtpServer,
  { production, httpHosts }: { production: boolean; httpHosts: readonly string[] },
): boolean => !isLoopbackHost(host) && (production || !httpHosts.includes(host.toLowerCase()));
