/**
 * Preloaded into every service (`node --import`). If the stack is killed, its IPC channel closes and the service shuts down as on SIGTERM, so no
 * process is orphaned.
 */
const EXIT_TIMEOUT_MS = 10_000;

if (process.channel) {
  process.channel.unref();
  process.once("disconnect", () => {
    setTimeout(() => process.exit(1), EXIT_TIMEOUT_MS).unref();
    process.kill(process.pid, "SIGTERM");
  });
}
