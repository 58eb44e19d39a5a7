/** The worker that reads the recording. */
export const reader = new Worker(new URL('../reader/reader.ts', import.meta.url), { type: 'module' })
