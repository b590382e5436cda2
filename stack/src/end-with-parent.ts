/**
 * Loaded into every service before its own code (`node --import`): when the stack that started it is gone
 * without a word (killed), the channel to it closes, and the service ends like on SIGTERM. Nothing is left over.
 */
const END_LIMIT_MS = 10_000;

if (process.channel) {
  process.channel.unref();
  process.once("disconnect", () => {
    setTimeout(() => process.exit(1), END_LIMIT_MS).unref();
    process.kill(process.pid, "SIGTERM");
  });
}
