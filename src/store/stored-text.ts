/** The text of a reply in SQL, where `run_record` is joined: its body, or what that was read as in another charset. */
export const storedText = "coalesce(run_record.text, run_record.body)";
