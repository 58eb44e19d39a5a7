export type Objects = {
  put(key: string, bytes: Uint8Array): Promise<void>
  get(key: string): Promise<Buffer | null>
  delete(key: string): Promise<void>
  list(prefix: string): Promise<string[]>
}
