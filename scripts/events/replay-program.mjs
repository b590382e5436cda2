import { setTimeout as wait } from "node:timers/promises";
import { createPayClient } from "@tillgate/client";
import { CommandError, parseWords } from "./command.mjs";
import { addressOf, EVENTS_OF, readEventsOf } from "./listen-options.mjs";

const HELP = `Sends a merchant's events of a range again, in order, one after the other, to an endpoint or an address.

  npm run replay -- http://localhost:3000/hook --dry-run        what would be sent
  npm run replay -- http://localhost:3000/hook
  npm run replay -- --endpoint <id> --from 2026-11-20T00:00:00Z --to 2026-11-21T00:00:00Z

Options:
  --endpoint <id>           an endpoint instead of an address
  --from <time>             events of this time on; default: the oldest that are kept
  --to <time>               events before this time; default: now
  --events <a,b>            only these; default: those that the endpoint chose, for an address all
  --skip-failed             go on with the next event when one fails, instead of waiting for it
  --key <text>              an idempotency key: the same key begins no second replay, and shows the first one
  --dry-run                 only say what would be sent
  --merchant <name>         which merchant of the running sandbox; default: the first
  --api <address>           another api (or TILLGATE_API_URL), with
  --client-id <id>          its credentials (or TILLGATE_CLIENT_ID and TILLGATE_CLIENT_SECRET)
  --client-secret <secret>
  --mode <mode>             sandbox (default) or live
  --help

The api sends, and keeps the place: Ctrl-C ends only this display. What goes to an address is signed with the client secret.
`;

const STRING = { type: "string" };
const OPTIONS = {
  ...EVENTS_OF,
  ...{ endpoint: STRING, from: STRING, to: STRING, key: STRING },
  ...{ "skip-failed": { type: "boolean" }, "dry-run": { type: "boolean" } },
};
/** How often the display asks how far it is, in milliseconds. */
const LOOK_EVERY_MS = 1_000;

/** @param {string[]} words what stands behind the `--` */
export async function run(words) {
  const { values, positionals } = parseWords(words, OPTIONS);
  if (values.help) return process.stdout.write(HELP);
  const [address, ...others] = positionals;
  if (others.length > 0 || (address === undefined) === (values.endpoint === undefined))
    throw new CommandError("Give either one address or --endpoint. (see --help for usage)");
  const { api, clientId, clientSecret, mode, name, types } = await readEventsOf(values, process.env);
  const { replays } = createPayClient({ baseUrl: api, mode, clientId, clientSecret }).webhooks;
  const range = {
    ...(address === undefined ? { endpoint_id: values.endpoint } : { callback_url: addressOf(address) }),
    ...{ from: values.from, to: values.to, events: types },
  };
  const { total, more, by_event } = await replays.preview(range);
  console.log(`${more ? "More than " : ""}${total} ${mode} events of ${name}`);
  for (const { event, count } of by_event) console.log(`  ${event.padEnd(20)}  ${count}`);
  if (values["dry-run"]) return;
  const begun = await replays.create({
    ...range,
    skip_failed: values["skip-failed"] ?? false,
    ...(values.key === undefined ? {} : { idempotency_key: values.key }),
  });
  console.log(`replay ${begun.replay_id}`);
  await follow(replays, begun);
}

/** Shows how far it is until it ends or stops. */
async function follow(replays, begun) {
  let replay = begun;
  const show = () =>
    console.log(`${replay.state}: ${replay.sent} of ${replay.total} sent, ${replay.failed} failed`);
  show();
  while (replay.state === "running") {
    await wait(LOOK_EVERY_MS);
    const before = replay;
    replay = await replays.get(begun.replay_id);
    if (replay.sent + replay.failed !== before.sent + before.failed || replay.state !== before.state) show();
  }
  if (replay.state !== "completed") process.exitCode = 1;
}
