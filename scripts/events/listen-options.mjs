import { eventNames, parseAddress } from "@tillgate/contract";
import { readSandboxFile } from "../bootstrap/sandbox-file.mjs";
import { CommandError, findMerchant, parseArguments } from "./command.mjs";

export const LISTEN_HELP = `Prints a merchant's events as they happen and can forward them, signed, to a local URL.

  npm run listen                                     print only
  npm run listen -- http://localhost:3000/hook       print and forward
  npm run listen -- --events pos.order.paid,refund.completed

Options:
  --forward <url>           same as the positional URL
  --events <a,b>            only these events: ${eventNames.join(", ")}
  --merchant <name>         merchant of the running sandbox; default: the first
  --api <url>               another API (or TILLGATE_API_URL)
  --client-id <id>          credentials for that API (or TILLGATE_CLIENT_ID)
  --client-secret <secret>  (or TILLGATE_CLIENT_SECRET)
  --mode <mode>             sandbox (default) or live
  --help

Without credentials it uses the sandbox that npm start is running. Forwarded events are signed with the client secret,
like those to an order's callback_url. Each is sent once, without retries. Press Ctrl-C to stop.
`;

const STRING = { type: "string" };
export const EVENT_SOURCE_OPTIONS = {
  events: STRING,
  merchant: STRING,
  api: STRING,
  "client-id": STRING,
  "client-secret": STRING,
  mode: STRING,
};
const OPTIONS = { forward: STRING, ...EVENT_SOURCE_OPTIONS };

/**
 * Reads the command line, the environment and the sandbox's file.
 * @returns null if help is requested.
 * @throws CommandError for an invalid option or missing credentials.
 */
export async function readListenOptions(commandLine, environment) {
  const { values, positionals } = parseArguments(commandLine, OPTIONS);
  if (values.help) return null;
  if (positionals.length > 1) throw new CommandError("Specify only one URL to forward to.");
  const forward = positionals[0] ?? values.forward;
  return {
    forward: forward === undefined ? null : parseUrl(forward),
    ...(await readEventSource(values, environment)),
  };
}

/** Reads {@link EVENT_SOURCE_OPTIONS}. @throws CommandError for an invalid option or missing credentials. */
export async function readEventSource(values, environment) {
  const mode = values.mode ?? "sandbox";
  if (mode !== "sandbox" && mode !== "live") throw new CommandError("--mode must be sandbox or live.");
  return {
    mode,
    types: values.events === undefined ? undefined : parseEvents(values.events),
    ...(await resolveAccess(values, environment)),
  };
}

export function parseUrl(text) {
  const url = parseAddress(text);
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new CommandError(`${text} is not an http or https URL. Example: http://localhost:3000/hook.`);
  return url.href;
}

function parseEvents(text) {
  const names = text.split(",").map((name) => name.trim());
  const unknown = names.find((name) => !eventNames.includes(name));
  if (unknown !== undefined)
    throw new CommandError(`Unknown event ${unknown}. Events: ${eventNames.join(", ")}.`);
  return names;
}

/** Returns credentials from the options or the environment, or those of the running sandbox. */
async function resolveAccess(values, environment) {
  const clientId = values["client-id"] ?? environment.TILLGATE_CLIENT_ID;
  const clientSecret = values["client-secret"] ?? environment.TILLGATE_CLIENT_SECRET;
  const api = values.api ?? environment.TILLGATE_API_URL;
  if (Boolean(clientId) !== Boolean(clientSecret))
    throw new CommandError("Specify both --client-id and --client-secret.");
  const sandbox = await readSandboxFile("sandbox.json");
  if (clientId) {
    if (values.merchant !== undefined)
      throw new CommandError("Specify either --merchant or credentials, not both.");
    const url = api ?? sandbox?.api;
    if (!url) throw new CommandError("Specify the API URL with --api.");
    return { api: url, clientId, clientSecret, name: clientId };
  }
  if (!sandbox)
    throw new CommandError(
      "No sandbox found. Run npm start, or specify --api, --client-id and --client-secret.",
    );
  const merchant = findMerchant(sandbox, values.merchant);
  return {
    api: api ?? sandbox.api,
    clientId: merchant.client_id,
    clientSecret: merchant.client_secret,
    name: merchant.name,
  };
}
