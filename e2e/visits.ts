type Device = { viewport: { width: number; height: number }; userAgent: string; isPhone: boolean }

const wide = { width: 1280, height: 800 }
const windows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)'
const mac = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)'
const chrome = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0'
const safari = 'AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6'

/** The devices of the visitors; a real Chromium claims to be their browser. */
const devices = {
  chrome: { viewport: wide, userAgent: `${windows} ${chrome} Safari/537.36`, isPhone: false },
  edge: { viewport: wide, userAgent: `${windows} ${chrome} Safari/537.36 Edg/141.0.0.0`, isPhone: false },
  firefox: {
    viewport: wide,
    userAgent: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:143.0) Gecko/20100101 Firefox/143.0',
    isPhone: false,
  },
  mac: { viewport: wide, userAgent: `${mac} ${chrome} Safari/537.36`, isPhone: false },
  safari: { viewport: wide, userAgent: `${mac} ${safari} Safari/605.1.15`, isPhone: false },
  laptop: {
    viewport: { width: 1024, height: 700 },
    userAgent: `Mozilla/5.0 (X11; Linux x86_64) ${chrome} Safari/537.36`,
    isPhone: false,
  },
  android: {
    viewport: { width: 412, height: 915 },
    userAgent: `Mozilla/5.0 (Linux; Android 10; K) ${chrome} Mobile Safari/537.36`,
    isPhone: true,
  },
  iphone: {
    viewport: { width: 390, height: 844 },
    userAgent: `Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) ${safari} Mobile/15E148 Safari/604.1`,
    isPhone: true,
  },
} satisfies Record<string, Device>

/** One visit to the demo shop. */
export type Visit = {
  /** Describes the visit in the sample's manifest. */
  story: string
  name: string
  email: string
  device: Device
  /** ISO code. */
  country: string
  /** Steps as `visit-steps.ts` defines them, each with its argument. */
  steps: string[]
}

/** One visit per line, oldest first: story, name, device, country and steps. */
const screenplay = `
Buys the arc lamp at once | Noor Bakker | chrome | NL | look 6; add Arc floor lamp; cart; checkout; pay
Looks at the lamps and leaves | Emil Dahl | safari | DK | look 5; go Lamps; look 6; scroll 360; see Globe pendant; back; look 4; see Reading lamp; look 6; go Guides; see Light for reading; look 5
Leaves after the first page | Paula Novak | android | CZ | look 9; scroll 720; look 8
Redeems a coupon that fails, and leaves | Chiara Rossi | firefox | IT | look 4; go Fabrics; look 5; add Velvet, ochre; cart; redeem SUMMER-1234; redeem SUMMER-1234; look 6
Subscribes to the newsletter | Yara Visser | iphone | NL | look 6; scroll 960; subscribe
Finds linen by searching | Lena Fischer | edge | DE | look 3; search linen; look 4; add Linen, natural; cart; look 8; go Guides; see Washing linen; look 6
Rage-clicks the wishlist | Mateo Garcia | chrome | ES | look 4; go Lamps; see Table lamp; rage click Wishlist; look 5; rage click Wishlist; look 3
Signs in and buys two things | Ada Adler | mac | AT | sign in; go Lamps; look 5; add Reading lamp; go Fabrics; add Wool felt; cart; checkout; pay
Waits for the delivery costs in vain | Henrik Larsen | laptop | DK | go Lamps; add Paper shade; cart; work out delivery 2200; look 6; work out delivery 2200; look 4; go Guides; see Delivery; look 5
Leaves the checkout half filled in | Ines Costa | firefox | PT | look 5; add Globe pendant; cart; checkout; address; look 22; card 4000 12; wait 35
Is away for minutes, then buys | Jonas Weber | edge | DE | look 4; go Lamps; see Arc floor lamp; wait 280; look 4; press Add to cart; cart; checkout; pay
Compares fabrics by price | Maja Kowalski | laptop | PL | look 3; go Fabrics; look 4; sort cheap; sort dear; see Wool felt; back; see Canvas, rust; go Guides; see Measuring for curtains; look 7; back; see Velvet and the sun; go Fabrics; see Linen, natural; look 9
Redeems a coupon that fails, and buys anyway | Oskar Haas | firefox | DE | add Arc floor lamp; cart; redeem SUMMER-8841; look 5; checkout; pay
Finds nothing | Vera Zimmer | iphone | CH | look 3; search chandelier; look 6; search sconce; look 7
Reads about delivery and care | Luca Marino | chrome | IT | look 4; see Linen, natural; unfold Delivery and returns; look 9; unfold Care; look 8; go Guides; see Washing linen; look 5; back; see Brass that ages; look 4
Buys on the phone | Sofia Santos | android | PT | look 5; scroll 480; add Globe pendant; cart; checkout; pay
Looks at the lamps and leaves | Nils Eriksen | laptop | NO | look 4; go Lamps; look 5; scroll 300; see Table lamp; back; look 3; see Wall light; back; see Paper shade; look 8; go Guides; see Hanging a pendant; look 6
Signs in and looks around | Ida Hansen | edge | DK | sign in; look 4; go Fabrics; look 6; scroll 300; look 3; go Guides; see Repairs; look 3; back; see Returns; look 4
Redeems three coupons that fail | Pavel Horvat | chrome | HR | look 3; go Lamps; add Reading lamp; cart; redeem SUMMER-1299; redeem WELCOME-10; redeem LETTER-77310; look 6
Comes back and buys more | Noor Bakker | chrome | NL | sign in; go Fabrics; add Linen, natural; back; look 3; cart; checkout; pay
Leaves after the first page | Rosa Lopez | safari | ES | look 11; scroll 400; look 6
Leaves the checkout half filled in | Samir Demir | firefox | TR | go Lamps; add Table lamp; cart; work out delivery 10115; checkout; address; look 18; back; look 6
Rage-clicks the wishlist | Greta Lang | edge | AT | look 3; see Arc floor lamp; rage click Wishlist; look 4; back; look 5
Fills the cart, empties it and leaves | Finn Jansen | mac | NL | add Globe pendant; go Fabrics; add Velvet, ochre; cart; press Remove Globe pendant; look 4; press Remove Velvet, ochre; look 7
Buys velvet for curtains | Elif Yilmaz | chrome | TR | look 4; go Guides; see Measuring for curtains; look 3; go Fabrics; look 4; add Velvet, ochre; cart; checkout; pay
Subscribes to the newsletter | Kaito Tanaka | chrome | JP | look 8; scroll 840; subscribe; scroll -840; look 5; go Guides; see The indigo vat; look 6; go Fabrics; see Cotton, indigo; look 4
Is away for minutes, then leaves | Dario Bianchi | safari | IT | look 4; go Lamps; see Reading lamp; wait 410; look 5; back; see Clamp lamp; look 4
Finds a lamp by searching and buys it | Mila Petit | laptop | FR | search brass; look 4; add Reading lamp; cart; checkout; pay
Waits for the delivery costs, and buys | Tomas Kovac | chrome | SI | go Fabrics; add Wool felt; cart; work out delivery 81000; checkout; pay
Redeems a coupon that fails, and leaves | Anouk Dubois | edge | FR | look 3; add Linen, natural; cart; redeem SUMMER-2077; look 9
Looks at the lamps and leaves | Amir Silva | mac | BR | look 5; go Lamps; look 4; scroll 300; see Arc floor lamp; back; look 3; see Globe pendant; look 5; go Guides; see Choosing a bulb; look 5
Leaves after the first page | Zoe Martin | laptop | FR | look 13; scroll 500; look 5
Browses the whole shop for a long time | Julia Meyer | chrome | DE | look 6; go Lamps; look 5; see Globe pendant; back; see Paper shade; back; see Table lamp; look 12; go Fabrics; look 6; see Velvet, ochre; back; see Wool felt; look 14; scroll 600; look 8; go Guides; see Felt on walls; back; see Folding paper shades; look 4; back; see The opal glass works; back; see How we pack; back; see For interior designers; look 4
Signs in and buys two things | Emma Klein | safari | DE | sign in; go Lamps; look 4; add Table lamp; go Fabrics; add Linen, natural; cart; checkout; pay
Rage-clicks a broken button | Ivan Popescu | edge | RO | go Lamps; add Paper shade; cart; redeem SUMMER-4510; rage click Redeem; look 4
Finds linen by searching | Leo Ferrari | chrome | IT | look 4; search linen; look 3; add Linen, natural; cart; look 6; go Fabrics; see Cotton, indigo; look 4
Buys felt in a hurry | Hana Ito | mac | JP | go Fabrics; add Wool felt; cart; checkout; pay
Leaves the checkout half filled in | Bela Varga | firefox | HU | look 3; go Lamps; add Arc floor lamp; cart; redeem SUMMER-9913; checkout; address; wait 48; card 4000 1234; look 6
Reads about delivery and care | Olga Visser | laptop | NL | look 5; see Arc floor lamp; unfold Delivery and returns; look 12; press Add to cart; look 4; go Guides; see Brass that ages; look 6
Is still choosing | Carla Berg | chrome | DE | look 5; go Lamps; look 6; add Reading lamp; cart; redeem SUMMER-5120; look 5; go Fabrics; look 12; stay`

export const visits: readonly Visit[] = screenplay.trim().split('\n').map(readVisit)

function readVisit(line: string): Visit {
  const [story = '', name = '', device = '', country = '', steps = ''] = line.split(' | ')
  if (!isDevice(device)) throw new Error(`unknown device in: ${line}`)
  const email = `${name.toLowerCase().replace(' ', '.')}@example.com`
  return { story, name, email, device: devices[device], country, steps: steps.split('; ') }
}

function isDevice(word: string): word is keyof typeof devices {
  return Object.hasOwn(devices, word)
}
