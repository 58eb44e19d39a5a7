/** The commonest passwords that are long enough, in lower case. */
export const commonPasswords: ReadonlySet<string> = new Set(
  `1234567890 12345678910 123456789a 0123456789 0987654321 9876543210 1234567891 123123123123 1q2w3e4r5t 1q2w3e4r5t6y
  qwertyuiop qwerty1234 qwerty12345 qwerty123456 qwertyuiop123 1qaz2wsx3edc zaq12wsxcde3 qazwsxedcrfv asdfghjkl123
  password12 password123 password1234 password12345 passw0rd123 p@ssw0rd123 p@ssword123 mypassword password1! password123!
  password2024 password2025 password2026 iloveyou123 iloveyou12 iloveyou1! letmein123 letmein1234 welcome123 welcome1234
  welcome2024 welcome2025 welcome2026 admin12345 admin123456 administrator adminadmin changeme123 changeme12 abcdefghij
  abcdefghijk abc1234567 abcd123456 a123456789 aa12345678 football123 baseball123 basketball princess123 sunshine123
  superman123 dragon1234 monkey1234 michael123 charlie123 jennifer123 trustno1trustno1 whatever123 starwars123 computer123
  internet123 freedom123 master1234 shadow1234 liverpool1 liverpool123 manchester manchesterunited chelsea123 arsenal123
  summer2024 summer2025 summer2026 winter2024 winter2025 winter2026 spring2026 autumn2026 january2026 november2026
  secret1234 test123456 testtest123 qweasdzxc123 zxcvbnm123 asdasdasd123 qwe123qwe123 google1234 facebook123 linkedin123
  correcthorsebatterystaple supersecret mysecretpassword thisisapassword notapassword letmeinplease spoolspool spool12345`.split(
    /\s+/,
  ),
)
