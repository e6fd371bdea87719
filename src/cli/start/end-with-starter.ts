/** Variable of the environment by which a command knows that the one who started it is this same command, on an older Node. */
export const handedOver = "TANDEM_HANDED_OVER";

/**
 * Ends this process, as SIGTERM does, when the process that started it with a channel has gone: nobody would know of this
 * one any more, and it would go on sending.
 */
export function endWithStarter(): void {
  process.once("disconnect", () => process.kill(process.pid, "SIGTERM"));
  // Waiting for that keeps nobody from ending.
  process.channel?.unref();
}
