/** The name of a suite file that needs not be named: `tandem init` writes it, and `run`, `plan`, `validate` and `doctor` look for it. */
export const suiteFileName = "tandem.yaml";
