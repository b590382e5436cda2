import { eventNames, parseAddress } from "@tillgate/contract";
import { readSandboxFile } from "../bootstrap/sandbox-file.mjs";
import { CommandError, merchantOf, parseWords } from "./command.mjs";

export const LISTEN_HELP = `Prints a merchant's events as they happen, and forwards them, signed, to an address of this machine.

  npm run listen                                     print only
  npm run listen -- http://localhost:3000/hook       print and forward
  npm run listen -- --events pos.order.paid,refund.completed

Options:
  --forward <address>       the same as the address alone
  --events <a,b>            only these: ${eventNames.join(", ")}
  --merchant <name>         which merchant of the running sandbox; default: the first
  --api <address>           another api (or TILLGATE_API_URL), with
  --client-id <id>          its credentials (or TILLGATE_CLIENT_ID and TILLGATE_CLIENT_SECRET)
  --client-secret <secret>
  --mode <mode>             sandbox (default) or live
  --help

Without credentials it uses the sandbox that npm start is running. Forwarded events are signed with the client secret,
as those to an order's callback_url; each is sent once, whatever the answer. Ctrl-C ends it.
`;

const STRING = { type: "string" };
/** Whose events, of those of a merchant's credentials or of the running sandbox. */
export const EVENTS_OF = {
  events: STRING,
  merchant: STRING,
  api: STRING,
  "client-id": STRING,
  "client-secret": STRING,
  mode: STRING,
};
const OPTIONS = { forward: STRING, ...EVENTS_OF };

/**
 * Reads the command line, the environment and the sandbox's file.
 * @returns null when help is asked for.
 * @throws CommandError with what is wrong.
 */
export async function readListenOptions(words, environment) {
  const { values, positionals } = parseWords(words, OPTIONS);
  if (values.help) return null;
  if (positionals.length > 1) throw new CommandError("Specify one URL to forward to.");
  const forward = positionals[0] ?? values.forward;
  return {
    forward: forward === undefined ? null : addressOf(forward),
    ...(await readEventsOf(values, environment)),
  };
}

/** Reads {@link EVENTS_OF}. @throws CommandError with what is wrong. */
export async function readEventsOf(values, environment) {
  const mode = values.mode ?? "sandbox";
  if (mode !== "sandbox" && mode !== "live") throw new CommandError("--mode must be sandbox or live.");
  return {
    mode,
    types: values.events === undefined ? undefined : eventsOf(values.events),
    ...(await accessOf(values, environment)),
  };
}

export function addressOf(text) {
  const url = parseAddress(text);
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new CommandError(`${text} is no http or https address, such as http://localhost:3000/hook.`);
  return url.href;
}

function eventsOf(text) {
  const names = text.split(",").map((name) => name.trim());
  const unknown = names.find((name) => !eventNames.includes(name));
  if (unknown !== undefined)
    throw new CommandError(`There is no event ${unknown}. There are: ${eventNames.join(", ")}.`);
  return names;
}

/** Whose events: of the credentials given, else of the running sandbox. */
async function accessOf(values, environment) {
  const clientId = values["client-id"] ?? environment.TILLGATE_CLIENT_ID;
  const clientSecret = values["client-secret"] ?? environment.TILLGATE_CLIENT_SECRET;
  const api = values.api ?? environment.TILLGATE_API_URL;
  if (Boolean(clientId) !== Boolean(clientSecret))
    throw new CommandError("Specify both --client-id and --client-secret.");
  const sandbox = await readSandboxFile("sandbox.json");
  if (clientId) {
    if (values.merchant !== undefined) throw new CommandError("Specify either --merchant or credentials.");
    const known = api ?? sandbox?.api;
    if (!known) throw new CommandError("Specify the API URL with --api.");
    return { api: known, clientId, clientSecret, name: clientId };
  }
  if (!sandbox)
    throw new CommandError("No sandbox yet. Run npm start, or give --api, --client-id and --client-secret.");
  const merchant = merchantOf(sandbox, values.merchant);
  return {
    api: api ?? sandbox.api,
    clientId: merchant.client_id,
    clientSecret: merchant.client_secret,
    name: merchant.name,
  };
}
