/** A file cannot be stored; the message is a sentence that tells the reader why. */
export class MissingAsset extends Error {}
