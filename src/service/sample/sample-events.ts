import { personIdSql } from '../capture/persons/person-id.ts'
import type { Warehouse } from '../engines/clickhouse/clickhouse.ts'
import { hashSql, pickSql, shareSql, uuidSql } from './random-sql.ts'
import { described, sampleExceptions } from './sample-exceptions.ts'
import { firstMsSql, personCount, personSql, sampleDays, type Sample } from './sample-persons.ts'

/** Domain of an invented shop for lamps and fabrics. */
const site = 'lumen-and-loom.example'

/** The shop's products, best-selling first, with prices in euros. */
const products = [
  { slug: 'arc-floor-lamp', name: 'Arc floor lamp', category: 'lamps', price: 189 },
  { slug: 'linen-natural', name: 'Linen, natural', category: 'fabrics', price: 24.5 },
  { slug: 'globe-pendant', name: 'Globe pendant', category: 'lamps', price: 129 },
  { slug: 'reading-lamp-brass', name: 'Reading lamp, brass', category: 'lamps', price: 94 },
  { slug: 'cotton-poplin', name: 'Cotton poplin', category: 'fabrics', price: 14.9 },
  { slug: 'paper-shade-large', name: 'Paper shade, large', category: 'lamps', price: 39 },
  { slug: 'wool-felt-moss', name: 'Wool felt, moss', category: 'fabrics', price: 32 },
  { slug: 'desk-lamp-clamp', name: 'Desk lamp with clamp', category: 'lamps', price: 74 },
  { slug: 'velvet-ochre', name: 'Velvet, ochre', category: 'fabrics', price: 28.9 },
  { slug: 'wall-lamp-opal', name: 'Wall lamp, opal', category: 'lamps', price: 88 },
  { slug: 'curtain-fabric-sheer', name: 'Curtain fabric, sheer', category: 'fabrics', price: 19.5 },
  { slug: 'led-bulb-warm', name: 'LED bulb, warm', category: 'lamps', price: 9.9 },
  { slug: 'canvas-heavy', name: 'Canvas, heavy', category: 'fabrics', price: 21 },
  { slug: 'table-lamp-ceramic', name: 'Table lamp, ceramic', category: 'lamps', price: 119 },
  { slug: 'denim-indigo', name: 'Denim, indigo', category: 'fabrics', price: 18.5 },
  { slug: 'chandelier-twelve', name: 'Chandelier, twelve arms', category: 'lamps', price: 640 },
]

const hour = 3_600_000
/** Average number of visits per hour; a visit has about six events. */
const visitsPerHour = 50
/** Relative traffic for each hour of the day (UTC), and below for each weekday from Monday: 1 is the average. */
const hourWeights = [
  0.25, 0.15, 0.1, 0.08, 0.1, 0.2, 0.45, 0.8, 1.1, 1.25, 1.35, 1.4, 1.45, 1.35, 1.3, 1.3, 1.35, 1.45, 1.6,
  1.85, 1.95, 1.7, 1.1, 0.55,
]
const weekdayWeights = [0.9, 0.88, 0.9, 0.92, 0.95, 1.2, 1.25]

/** Days that one statement generates: the memory counted for a statement grows with the rows that it writes. */
const statementDays = 6

/** Generates the sample's events in ClickHouse; the same anchor and project always give the same rows. */
export async function insertSampleEvents(warehouse: Warehouse, sample: Sample) {
  const settings = { max_threads: 2, max_block_size: 8192, min_insert_block_size_rows: 50_000 }
  const insert = `INSERT INTO events (team_id, uuid, event, properties, distinct_id, timestamp, created_at, inserted_at,
      elements_chain, person_id, person_properties)
    SELECT {project: Int64}, toUUID(${uuidSql('visit', 'i')}), step.1,
      concat(visit_properties, ${stepProperties}, '}'), distinct_id,
      fromUnixTimestamp64Milli(at, 'UTC'), fromUnixTimestamp64Milli(arrived, 'UTC'), fromUnixTimestamp64Milli(arrived, 'UTC'),
      if(step.1 = '$autocapture', ${clickedElement}, ''), person_id,
      multiIf(NOT is_known, '{}', at >= renewed, renewed_properties, first_properties)
    FROM (${selectSteps}) WHERE arrived <= {anchor: Int64}`
  for (let day = 0; day < sampleDays; day += statementDays) {
    const params = { ...sample, first_hour: day * 24, hours: statementDays * 24 }
    await warehouse.command(insert, { params, settings })
  }
}

/** One row per visit: its number `visit`, its start time `began`, and the visitor's number `n`. */
const selectVisits = `
  SELECT ${hashSql("'visit'", 'hour_ms', 'k')} AS visit, hour_ms + toInt64(visit % ${hour}) AS began,
    toInt64(floor(${personCount} * pow(${shareSql("'who'", 'visit')}, 1.6))) AS n
  FROM (
    SELECT ${firstMsSql} + number * ${hour} AS hour_ms,
      fromUnixTimestamp64Milli(toInt64(hour_ms), 'UTC') AS hour,
      ${visitsPerHour} * [${hourWeights.join(', ')}][1 + toHour(hour)] * [${weekdayWeights.join(', ')}][toDayOfWeek(hour)]
        * (0.85 + 0.01 * intDiv(number, 24)) AS expected
    FROM numbers({first_hour: UInt32}, {hours: UInt32})
    WHERE hour_ms <= {anchor: Int64}
  ) ARRAY JOIN range(toUInt32(floor(expected + ${shareSql("'visits'", 'hour_ms')}))) AS k`

const person = personSql('n')
const strangerId = uuidSql("'stranger'", `${hashSql("'which'", 'visit')} % 9000`)
const chance = (step: string) => shareSql(`'${step}'`, 'visit')
const page = (path: string) => `[('$pageview', ${path})]`
const productPage = (product: string) => `concat('/products/', ${product}.1)`
const productSteps = (product: string) =>
  `[('$pageview', ${productPage(product)}), ('product viewed', ${productPage(product)})]`
const when = (condition: string, ...steps: string[]) =>
  `if(${condition}, arrayConcat(${steps.join(', ')}), [])`
const click = (path: string) => `[('$autocapture', ${path})]`

/** The events of a visit, in order, as (event, path). Fewer visits take each further step towards an order. */
const steps = `arrayConcat(
  ${page('landing')},
  ${when(`${chance('browses')} < 0.4`, click('landing'), page(pickSql(['/lamps', '/fabrics', '/sale', '/workshops'], "'browse'", 'visit')))},
  ${when(`${chance('searches')} < 0.2`, `[('search', '/search')]`, page(`'/search'`))},
  ${when('looks', productSteps('product'))},
  ${when(`looks AND ${chance('looks again')} < 0.45`, click(productPage('product')), productSteps('other_product'))},
  ${when('adds', click(productPage('product')), `[('added to cart', ${productPage('product')})]`)},
  ${when('checks_out', page(`'/checkout'`), `[('checkout started', '/checkout')]`)},
  ${when('orders', `[('order placed', '/checkout')]`, page(`'/checkout/thanks'`))},
  ${when(`${chance('signs up')} < 0.03`, `[('newsletter signup', landing)]`)},
  ${when(`${chance('fails')} < 0.006`, `[('$exception', if(checks_out, '/checkout', landing))]`)},
  ${when(`${chance('leaves')} < 0.85`, `[('$pageleave', landing)]`)})`

const list = (values: readonly string[]) => (name: string) => pickSql(values, `'${name}'`, 'visit')
const browsers = ['Chrome', 'Chrome', 'Chrome', 'Chrome', 'Safari', 'Safari', 'Firefox', 'Microsoft Edge']
const referrers =
  '$direct $direct $direct https://www.google.com/ https://www.google.com/ https://www.instagram.com/ https://www.pinterest.com/ https://duckduckgo.com/ https://news.example.org/'.split(
    ' ',
  )
const campaigns = [
  '',
  '',
  '',
  '',
  'utm_source=newsletter&utm_medium=email&utm_campaign=autumn_light',
  'utm_source=google&utm_medium=cpc&utm_campaign=pendant_lamps',
  'utm_source=instagram&utm_medium=social&utm_campaign=linen_week',
]
const landings = '/ / / /lamps /fabrics /sale /journal/how-to-light-a-room /products/arc-floor-lamp'.split(
  ' ',
)
const productList = `[${products.map(({ slug, name, category, price }) => `('${slug}', '${name}', '${category}', ${price})`).join(', ')}]`
const productBy = (key: string) =>
  `${productList}[1 + toUInt32(floor(${products.length} * pow(${shareSql(`'${key}'`, 'visit')}, 1.4)))]`

const selectJourneys = `
  SELECT visit, began, ${person.createdMs} < began AND ${shareSql("'known'", 'visit')} < 0.45 AS is_known,
    multiIf(is_known, ${person.distinctId}, ${shareSql("'returns'", 'visit')} < 0.1, ${person.deviceId}, ${strangerId}) AS distinct_id,
    if(is_known, ${person.personId}, ${personIdSql('{project: Int64}', 'distinct_id')}) AS person_id,
    ${person.renewedMs} AS renewed, ${person.firstProperties} AS first_properties, ${person.renewedProperties} AS renewed_properties,
    ${list(landings)('landing')} AS landing, ${productBy('product')} AS product, ${productBy('other product')} AS other_product,
    ${chance('looks')} < 0.58 AS looks, looks AND ${chance('adds')} < if(is_known, 0.4, 0.22) AS adds,
    adds AND ${chance('checks out')} < 0.55 AS checks_out, checks_out AND ${chance('orders')} < 0.68 AS orders,
    1 + ${hashSql("'quantity'", 'visit')} % 3 AS quantity, ${steps} AS steps,
    arrayCumSum(arrayMap(index -> if(index = 1, 0, toInt64(1500 + 70000 * pow(${shareSql("'pause'", 'visit', 'index')}, 3))),
      arrayEnumerate(steps))) AS pauses,
    ${list(browsers)('browser')} AS browser, ${shareSql("'phone'", 'visit')} < 0.55 AS is_phone,
    multiIf(browser = 'Safari', if(is_phone, 'iOS', 'Mac OS X'), is_phone, 'Android', ${list(['Windows', 'Windows', 'Mac OS X', 'Linux'])('os')}) AS os,
    ${list(referrers)('referrer')} AS referrer, ${list(campaigns)('campaign')} AS campaign,
    ${visitProperties()} AS visit_properties
  FROM (${selectVisits})`

function visitProperties(): string {
  const text = (name: string, value: string) => `',"${name}":"', ${value}, '"'`
  const plain = (name: string, value: string) => `',"${name}":', toString(${value})`
  const utm = (name: string) =>
    `if(campaign = '', '', concat(',"${name}":"', extract(campaign, '${name}=(\\\\w+)'), '"'))`
  return `concat('{"$lib":"web","$lib_version":"1.449.2","$host":"${site}"',
    ${text('distinct_id', 'distinct_id')}, ${text('$session_id', uuidSql("'session'", 'visit'))}, ${text('$window_id', uuidSql("'window'", 'visit'))},
    ${text('$browser', 'browser')}, ${plain('$browser_version', `120 + ${hashSql("'version'", 'visit')} % 22`)}, ${text('$os', 'os')},
    ${text('$device_type', `if(is_phone, 'Mobile', 'Desktop')`)}, ${plain('$viewport_width', 'if(is_phone, 390, 1440)')}, ${plain('$viewport_height', 'if(is_phone, 844, 900)')},
    ${text('$referrer', 'referrer')}, ${text('$referring_domain', `if(referrer = '$direct', referrer, domain(referrer))`)},
    ${text('$session_entry_pathname', 'landing')}, ${['utm_source', 'utm_medium', 'utm_campaign'].map(utm).join(', ')},
    ',"$is_identified":', if(is_known, 'true', 'false'), ',"$process_person_profile":', if(is_known, 'true', 'false'))`
}

const selectSteps = `
  SELECT *, step, i, began + pauses[i] AS at, at + toInt64(${hashSql("'way'", 'visit', 'i')} % 3000) AS arrived
  FROM (${selectJourneys}) ARRAY JOIN steps AS step, arrayEnumerate(steps) AS i`

const searches = 'linen,desk lamp,pendant,velvet,brass,curtain,reading light,wool,led bulb,lampshade'.split(
  ',',
)
const failures = sampleExceptions.map((exception) => JSON.stringify([described(exception)]))
const money = (value: string) => `toString(round(${value}, 2))`
const ofProduct = (product: string) =>
  `concat(',"product_id":"', ${product}.1, '","product_name":"', ${product}.2, '","category":"', ${product}.3, '","price":', ${money(`${product}.4`)})`

/** An event's own properties, as members of a JSON object, each preceded by a comma. */
const stepProperties = `concat(',"$current_url":"https://${site}', step.2, '","$pathname":"', step.2, '"', multiIf(
  step.1 = 'product viewed', if(step.2 = ${productPage('product')}, ${ofProduct('product')}, ${ofProduct('other_product')}),
  step.1 = 'added to cart', concat(${ofProduct('product')}, ',"quantity":', toString(quantity)),
  step.1 = 'checkout started', concat(',"items":', toString(quantity), ',"value":', ${money('quantity * product.4')}, ',"currency":"EUR"'),
  step.1 = 'order placed', concat(',"order_id":"LL-', toString(100000 + visit % 900000), '"', ${ofProduct('product')},
    ',"quantity":', toString(quantity), ',"revenue":', ${money('quantity * product.4')}, ',"currency":"EUR","payment":"', ${pickSql(['card', 'card', 'paypal', 'invoice'], "'payment'", 'visit')}, '"'),
  step.1 = 'search', concat(',"query":"', ${pickSql(searches, "'query'", 'visit')}, '","results":', toString(${hashSql("'results'", 'visit')} % 40)),
  step.1 = '$exception', concat(',"$exception_level":"error","$exception_list":', ${pickSql(failures, "'failure'", 'visit')}),
  step.1 = '$autocapture', ',"$event_type":"click"',
  step.1 = '$pageleave', concat(',"$prev_pageview_duration":', ${money('pauses[-1] / 1000')}),
  ''))`

const clickedElement = `concat('button.button.button--', if(adds, 'primary', 'plain'), ':attr__class="button"nth-child="', toString(1 + visit % 4),
  '"nth-of-type="1"text="', if(adds, 'Add to cart', 'Show more'), '";main:nth-child="2"nth-of-type="1";body:nth-child="2"nth-of-type="1"')`
