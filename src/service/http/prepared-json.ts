/** A response that is already serialised as JSON, so that cached parts are not serialised again; see `LatestRunsText`. */
export class PreparedJson {
  readonly text: string

  private constructor(text: string) {
    this.text = text
  }

  /** Serialises a non-empty object with one extra key, whose value is already JSON. */
  static of(object: object, key: string, value: string | readonly PreparedJson[]): PreparedJson {
    const text = typeof value === 'string' ? value : `[${value.map((item) => item.text).join()}]`
    return new PreparedJson(`${JSON.stringify(object).slice(0, -1)},${JSON.stringify(key)}:${text}}`)
  }
}
