/** A column of every row that is in no file: the name of the file that the row is of. */
export const fileColumn = "__file";
