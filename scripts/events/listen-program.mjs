import { followEvents } from "./follow-events.mjs";
import { forwardEvent } from "./forward-event.mjs";
import { LISTEN_HELP, readListenOptions } from "./listen-options.mjs";

const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => stop.abort());

const time = (text) => new Date(text).toTimeString().slice(0, 8);

/** @param {string[]} words what stands behind the `--` */
export async function run(words) {
  const options = await readListenOptions(words, process.env);
  if (options === null) {
    process.stdout.write(LISTEN_HELP);
    return;
  }
  const { forward, name, api, mode } = options;
  const told = {
    ready() {
      console.log(`Listening to ${mode} events of ${name} at ${api}. Ctrl-C ends it.`);
      if (forward) console.log(`Forwarding to ${forward}, signed with the client secret.`);
    },
    async event(event) {
      const { id, event: what, order_id: order, created_at: at } = event;
      console.log(`${time(at)}  ${what.padEnd(19)}  ${id}  ${order ?? ""}`.trimEnd());
      if (forward) console.log(`          -> ${await forwardEvent(options, event, stop.signal)}`);
    },
    lost: (why) => console.error(`Connection lost (${why}). Reconnecting…`),
    back: () => console.error("Reconnected. No events were missed."),
  };
  await followEvents(options, told, stop.signal);
  console.log("Stopped.");
}
