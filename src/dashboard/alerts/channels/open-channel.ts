import { createContext } from 'react'

/** The channel whose messages are shown, and the message that is shown with its requests and responses. */
export type OpenedChannel = { channel?: string | undefined; delivery?: string | undefined }

/** Opens the messages of a channel. */
export const OpenChannel = createContext<(opened: OpenedChannel) => void>(() => undefined)
