import { isLoopbackHost, parseAddress } from "@tillgate/contract";
import { z } from "zod";

/** The largest form that is read, in bytes. The page's own forms stay far below. */
export const MAX_FORM_BYTES = 16 * 1024;
/** How long a notice waits in its cookie for the page that shows it. */
export const NOTICE_SECONDS = 60;
/** The longest payment token that is passed on to the api. */
export const MAX_TOKEN_LENGTH = 200;
/** Seconds until a finished page goes to the shop by itself; without scripts it cannot be stopped, so it waits longer. */
export const RETURN_SECONDS = 8;
export const RETURN_SECONDS_WITHOUT_SCRIPT = 20;
/** Seconds until a page that waits for the api, or for a refund, asks again by itself. */
export const RETRY_SECONDS = 5;
export const REFUND_RETRY_SECONDS = 15;
/** Seconds between two looks for the outcome of a step whose answer was lost. */
export const CHECK_SECONDS = 2;
/** Seconds after which the view of the code alone looks again, in a browser without scripts. */
export const CODE_SECONDS = 4;

const origin = z.string().transform((value, context) => {
  const url = parseAddress(value);
  const plain = url && url.pathname === "/" && !url.search && !url.hash && !url.username && !url.password;
  if (url && plain && (url.protocol === "http:" || url.protocol === "https:")) return url.origin;
  context.addIssue({
    code: "custom",
    message: "must be an http or https address without a path, like https://pay.example.com",
  });
  return z.NEVER;
});

const wholeNumber = (standard: number, min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, { error: `must be a whole number from ${min} to ${max}` })
    .transform(Number)
    .refine((value) => value >= min && value <= max, {
      error: `must be a whole number from ${min} to ${max}`,
    })
    .default(standard);

const settings = z.object({
  /** The address to listen on. */
  HOST: z.string().min(1).default("127.0.0.1"),
  PORT: wholeNumber(4001, 1, 65_535),
  /** The page's own public origin: forms from any other are refused, and https turns on secure cookies and HSTS. */
  TILLGATE_PAY_URL: origin.default("http://localhost:4001"),
  /** Hosts, separated by commas, on which the page may be served over plain http: for trying it out on one's own network. */
  TILLGATE_HTTP_HOSTS: z
    .string()
    .default("")
    .transform((list) =>
      list
        .split(",")
        .map((host) => host.trim().toLowerCase())
        .filter((host) => host !== ""),
    ),
  /** Where this server reaches the api. */
  TILLGATE_API_URL: origin.default("http://127.0.0.1:4000"),
  /** Shared with the api: it trusts the shopper's address and session from this key alone. */
  TILLGATE_INTERNAL_KEY: z
    .string({ error: "is required: the key shared with the api, at least 32 characters" })
    .min(32, { error: "must have at least 32 characters" }),
  /** How long one call of the api may take before the page says that it is unreachable. */
  TILLGATE_API_TIMEOUT_MS: wholeNumber(5000, 100, 60_000),
  /** Reverse proxies in front of this server that append to X-Forwarded-For; 0 trusts that header from nobody. */
  TILLGATE_PAY_PROXY_HOPS: wholeNumber(0, 0, 5),
  /** Live status streams open at once in this process; pages beyond that poll instead. */
  TILLGATE_PAY_MAX_STREAMS: wholeNumber(2000, 0, 100_000),
  /** Connections open at once in this process; more are closed as they come. */
  TILLGATE_PAY_MAX_CONNECTIONS: wholeNumber(10_000, 10, 1_000_000),
  /** How long a browser may take to send one whole request; half of it for the head. */
  TILLGATE_PAY_REQUEST_TIMEOUT_MS: wholeNumber(30_000, 1000, 300_000),
});

export interface Config {
  host: string;
  port: number;
  payOrigin: string;
  /** Served under https: cookies are `Secure` and carry the `__Host-` prefix. */
  secure: boolean;
  apiOrigin: string;
  internalKey: string;
  apiTimeoutMs: number;
  trustedProxies: number;
  maxStreams: number;
  maxConnections: number;
  requestTimeoutMs: number;
}

/** Plain http shows PINs and sessions to everybody on the way. */
function mayBePlain(payUrl: string, httpHosts: readonly string[]): boolean {
  const { protocol, hostname } = new URL(payUrl);
  return protocol === "https:" || isLoopbackHost(hostname) || httpHosts.includes(hostname);
}

/** A setting that cannot be used; the message is one line for the person who starts the page. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
}

/**
 * Reads the settings.
 * @throws SettingsError naming each bad setting, never its value.
 */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const parsed = settings.safeParse(environment);
  if (!parsed.success) {
    const faults = parsed.error.issues.map((issue) => `${issue.path.join(".")} ${issue.message}`);
    throw new SettingsError(`The page cannot start: ${faults.join("; ")}.`);
  }
  const found = parsed.data;
  if (!mayBePlain(found.TILLGATE_PAY_URL, found.TILLGATE_HTTP_HOSTS))
    throw new SettingsError(
      "The page cannot start: TILLGATE_PAY_URL must begin with https, unless its host is this machine or named in TILLGATE_HTTP_HOSTS.",
    );
  return {
    host: found.HOST,
    port: found.PORT,
    payOrigin: found.TILLGATE_PAY_URL,
    secure: found.TILLGATE_PAY_URL.startsWith("https:"),
    apiOrigin: found.TILLGATE_API_URL,
    internalKey: found.TILLGATE_INTERNAL_KEY,
    apiTimeoutMs: found.TILLGATE_API_TIMEOUT_MS,
    trustedProxies: found.TILLGATE_PAY_PROXY_HOPS,
    maxStreams: found.TILLGATE_PAY_MAX_STREAMS,
    maxConnections: found.TILLGATE_PAY_MAX_CONNECTIONS,
    requestTimeoutMs: found.TILLGATE_PAY_REQUEST_TIMEOUT_MS,
  };
}

let current: Config | undefined;

/** The settings of this process, read once at the first request (main.ts has checked them before). */
export function config(): Config {
  current ??= readConfig(process.env);
  return current;
}
