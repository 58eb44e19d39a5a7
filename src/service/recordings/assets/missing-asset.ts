/** A file that cannot be stored; the message is a sentence that gives the reason. */
export class MissingAsset extends Error {}
