import { followEvents } from "./follow-events.mjs";
import { forwardEvent } from "./forward-event.mjs";
import { LISTEN_HELP, readListenOptions } from "./listen-options.mjs";

const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => stop.abort());

const formatTime = (text) => new Date(text).toTimeString().slice(0, 8);

export async function run(commandLine) {
  const options = await readListenOptions(commandLine, process.env);
  if (options === null) {
    process.stdout.write(LISTEN_HELP);
    return;
  }
  const { forward, name, api, mode } = options;
  const handlers = {
    ready() {
      console.log(`Listening for ${mode} events of ${name} at ${api}. Press Ctrl-C to stop.`);
      if (forward) console.log(`Forwarding to ${forward}, signed with the client secret.`);
    },
    async event(event) {
      const { id, event: eventName, order_id: order, created_at: at } = event;
      console.log(`${formatTime(at)}  ${eventName.padEnd(19)}  ${id}  ${order ?? ""}`.trimEnd());
      if (forward) console.log(`          -> ${await forwardEvent(options, event, stop.signal)}`);
    },
    lost: (reason) => console.error(`Connection lost (${reason}). Reconnecting…`),
    back: () => console.error("Reconnected. No events were missed."),
  };
  await followEvents(options, handlers, stop.signal);
  console.log("Stopped.");
}
