/** Name under which a request has the conversation that an earlier reply named. */
export const sessionField = "session";
