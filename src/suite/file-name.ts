/** The name of a suite file that needs not be named, which `tandem init` writes. */
export const suiteFileName = "tandem.yaml";

/** The names by which `run`, `check` and the others find the suite of a folder. */
export const suiteFileNames = [suiteFileName, "tandem.yml"];
