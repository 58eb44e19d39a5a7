/** Maximum number of blocks per request. */
export const blobKeysMax = 20
