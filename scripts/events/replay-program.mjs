import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { createPayClient } from "@tillgate/client";
import { CommandError, parseArguments, parseTime } from "./command.mjs";
import { EVENT_SOURCE_OPTIONS, parseUrl, readEventSource } from "./listen-options.mjs";

const HELP = `Resends a merchant's events from a time range, in order and one at a time, to a webhook endpoint or a URL.

  npm run replay -- http://localhost:3000/hook --dry-run        print what would be sent
  npm run replay -- http://localhost:3000/hook
  npm run replay -- --endpoint <id> --from 2026-11-20T00:00:00Z --to 2026-11-21T00:00:00Z

Options:
  --endpoint <id>           a webhook endpoint instead of a URL
  --from <time>             events from this time; default: the oldest retained
  --to <time>               events before this time; default: now
  --events <a,b>            only these events; default: the endpoint's events, or all for a URL
  --skip-failed             continue with the next event when one fails, instead of stopping
  --key <text>              idempotency key: with the same key, shows the first replay instead of starting another
  --dry-run                 print what would be sent, without sending it
  --merchant <name>         merchant of the running sandbox; default: the first
  --api <url>               another API (or TILLGATE_API_URL)
  --client-id <id>          credentials for that API (or TILLGATE_CLIENT_ID)
  --client-secret <secret>  (or TILLGATE_CLIENT_SECRET)
  --mode <mode>             sandbox (default) or live
  --help

The API sends the events and tracks the progress: Ctrl-C stops only this display. Events sent to a URL are signed with the
client secret.
`;

const STRING = { type: "string" };
const OPTIONS = {
  ...EVENT_SOURCE_OPTIONS,
  ...{ endpoint: STRING, from: STRING, to: STRING, key: STRING },
  ...{ "skip-failed": { type: "boolean" }, "dry-run": { type: "boolean" } },
};
const POLL_MS = 1_000;

export async function run(commandLine) {
  const { values, positionals } = parseArguments(commandLine, OPTIONS);
  if (values.help) return process.stdout.write(HELP);
  const [url, ...others] = positionals;
  if (others.length > 0 || (url === undefined) === (values.endpoint === undefined))
    throw new CommandError("Specify either one URL or --endpoint (see --help for usage).");
  const { api, clientId, clientSecret, mode, name, types } = await readEventSource(values, process.env);
  const { replays } = createPayClient({ baseUrl: api, mode, clientId, clientSecret }).webhooks;
  const range = {
    ...(url === undefined ? { endpoint_id: values.endpoint } : { callback_url: parseUrl(url) }),
    ...{ from: parseTime("--from", values.from), to: parseTime("--to", values.to), events: types },
  };
  if (range.from !== undefined && range.to !== undefined && new Date(range.from) >= new Date(range.to))
    throw new CommandError("--to must be later than --from.");
  const { total, more, by_event } = await replays.preview(range);
  console.log(`${name}, ${mode} events: ${more ? "more than " : ""}${total}`);
  for (const { event, count } of by_event) console.log(`  ${event.padEnd(20)}  ${count}`);
  if (values["dry-run"]) return;
  const key = values.key ?? randomUUID();
  try {
    const created = await replays.create({
      ...range,
      skip_failed: values["skip-failed"] ?? false,
      idempotency_key: key,
    });
    console.log(`Replay ID: ${created.replay_id}`);
    await showProgress(replays, created);
  } catch (error) {
    if (error?.name !== "TillgateConnectionError") throw error;
    throw new CommandError(
      `The connection to the API was lost (${error.message}). Run the command again with --key ${key} to see the progress of this replay without starting another.`,
    );
  }
}

async function showProgress(replays, created) {
  let replay = created;
  const show = () =>
    console.log(`${replay.state}: ${replay.sent} of ${replay.total} sent, ${replay.failed} failed`);
  show();
  while (replay.state === "running") {
    await wait(POLL_MS);
    const before = replay;
    replay = await replays.get(created.replay_id);
    if (replay.sent + replay.failed !== before.sent + before.failed || replay.state !== before.state) show();
  }
  if (replay.state !== "completed") process.exitCode = 1;
}
