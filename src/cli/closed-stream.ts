/** A reader such as `head` may close the pipe early, and a terminal may close during a run. */
export function unlessClosed(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE" && error.code !== "EIO") throw error;
}
