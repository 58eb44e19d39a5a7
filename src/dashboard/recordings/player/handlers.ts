/** A function for each kind of message. */
export type Handlers<Message extends { kind: string }> = {
  [Kind in Message['kind']]: (message: Extract<Message, { kind: Kind }>) => void
}

/** Calls the function for a message's kind. */
export function handle<Message extends { kind: string }>(handlers: Handlers<Message>, message: Message) {
  const handler: (message: never) => void = handlers[message.kind as Message['kind']]
  handler(message as never)
}
