/** An answer that is JSON text already. */
export class PreparedJson {
  readonly text: string

  private constructor(text: string) {
    this.text = text
  }

  /** An object that has keys, and one more whose value is JSON text. */
  static of(object: object, key: string, value: string | readonly PreparedJson[]): PreparedJson {
    const text = typeof value === 'string' ? value : `[${value.map((item) => item.text).join()}]`
    return new PreparedJson(`${JSON.stringify(object).slice(0, -1)},${JSON.stringify(key)}:${text}}`)
  }
}
