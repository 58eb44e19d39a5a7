/** A file that cannot be stored; the message is a sentence that gives the reason. */
export class MissingAsset extends Error {}

/** A file that may be available later: its server was slow, could not be reached, or had an error. */
export class UnavailableAsset extends MissingAsset {}
