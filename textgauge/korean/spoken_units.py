"""How units and currencies are read in Korean: tables for people to read and extend, laid out as those of `spoken.py`.

The `VERSION` of `spoken.py` changes whenever a row does.
"""

from .spoken import table_rows

UNITS = table_rows("""
km 킬로미터 킬로 키로
m 미터
cm 센티미터 센티 센치
mm 밀리미터 밀리 미리
μm 마이크로미터 마이크로
nm 나노미터 나노
kg 킬로그램 킬로 키로
g 그램
mg 밀리그램 밀리
μg 마이크로그램 마이크로
mcg 마이크로그램
ng 나노그램
kt 킬로톤
Mt 메가톤
oz 온스
t 톤
L 리터
l 리터
ℓ 리터
mL 밀리리터 밀리 미리
ml 밀리리터 밀리 미리
dL 데시리터
cL 센티리터
kL 킬로리터
μL 마이크로리터
gal 갤런
bbl 배럴
mg/dL 밀리그램퍼데시리터
g/L 그램퍼리터
km/s 킬로미터퍼세컨드 킬로미터매초
MB/s 메가바이트퍼세컨드
GB/s 기가바이트퍼세컨드
cc 시시 씨씨
㎡ 제곱미터 평방미터
m² 제곱미터 평방미터
m2 제곱미터 평방미터
㎥ 세제곱미터 입방미터 루베
m³ 세제곱미터 입방미터 루베
m3 세제곱미터 입방미터 루베
㎢ 제곱킬로미터 평방킬로미터
km² 제곱킬로미터 평방킬로미터
km2 제곱킬로미터 평방킬로미터
cm² 제곱센티미터 평방센티미터
cm2 제곱센티미터 평방센티미터
mm² 제곱밀리미터 평방밀리미터
mm2 제곱밀리미터 평방밀리미터
cm³ 세제곱센티미터 입방센티미터
cm3 세제곱센티미터 입방센티미터
km³ 세제곱킬로미터 입방킬로미터
ha 헥타르
km/h 킬로미터퍼아워 킬로미터매시
m/s 미터퍼세컨드 미터퍼세크 미터매초
% 퍼센트 프로 퍼
%p 퍼센트포인트 프로포인트 퍼센트피
%포인트 퍼센트포인트 프로포인트
‰ 퍼밀
ppm 피피엠
° 도
℃ 도
°C 도
℉ 도
°F 도
V 볼트
kV 킬로볼트
mV 밀리볼트
W 와트
kW 킬로와트
MW 메가와트
GW 기가와트
kWh 킬로와트시 킬로와트아워
A 암페어
mA 밀리암페어
Ah 암페어시 암페어아워
mW 밀리와트
TW 테라와트
MWh 메가와트시 메가와트아워
GWh 기가와트시 기가와트아워
Wh 와트시 와트아워
mAh 밀리암페어시 밀리암페어아워
Hz 헤르츠
kHz 킬로헤르츠
MHz 메가헤르츠
GHz 기가헤르츠
THz 테라헤르츠
dB 데시벨
dBm 디비엠
B 바이트
KB 킬로바이트 킬로
kB 킬로바이트 킬로
MB 메가바이트 메가
GB 기가바이트 기가
TB 테라바이트 테라
PB 페타바이트 페타
bps 비피에스 비트퍼세컨드
kbps 킬로비피에스 킬로비트퍼세컨드
Mbps 메가비피에스 메가비트퍼세컨드
Gbps 기가비피에스 기가비트퍼세컨드
kcal 킬로칼로리 칼로리
cal 칼로리
Pa 파스칼
hPa 헥토파스칼
kPa 킬로파스칼
MPa 메가파스칼
GPa 기가파스칼
mmHg 밀리미터에이치지 밀리미터수은주
kN 킬로뉴턴
kJ 킬로줄
MJ 메가줄
mol 몰
lx 럭스
lm 루멘
Ω 옴
kΩ 킬로옴
MΩ 메가옴
mSv 밀리시버트
Bq 베크렐
fps 에프피에스 프레임
ppb 피피비
mph 마일퍼아워
hp 마력
N 뉴턴
rpm 알피엠 아르피엠
RPM 알피엠 아르피엠
h 시간
min 분
s 초
sec 초
hr 시간
hrs 시간
ms 밀리초
μs 마이크로초
ns 나노초
in 인치
" 인치
ft 피트
lb 파운드
lbs 파운드
yd 야드
mi 마일
pt 포인트
px 픽셀
dpi 디피아이
k 케이
""")

UNIT_COUNTERS = dict.fromkeys(("h", "hr", "hrs"), "시간")  # before these readings of units numbers are native too

# in front of the number and its unit: 시속 100킬로미터 for 100km/h
UNIT_PREFIXES = {
    "km/h": ["시속"],
    "m/s": ["초속"],
    "km/s": ["초속"],
    "℃": ["섭씨"],
    "°C": ["섭씨"],
    "℉": ["화씨"],
    "°F": ["화씨"],
}
TEMPERATURES = ("℃", "°C", "℉", "°F", "도", "°")

# signs stand before the number, codes on either side; the reading follows the number
CURRENCIES = table_rows("""
$ 달러 불
₩ 원
€ 유로
£ 파운드
¥ 엔 위안
US$ 달러 미국달러 불
HK$ 홍콩달러 달러
USD 달러 미국달러 불
KRW 원
JPY 엔
EUR 유로
¢ 센트
GBP 파운드
CNY 위안
RMB 위안
HKD 홍콩달러 달러
CAD 캐나다달러 달러
AUD 호주달러 달러
SGD 싱가포르달러 달러
TWD 대만달러 달러
CHF 스위스프랑 프랑
THB 바트
VND 동
INR 루피
RUB 루블
C$ 캐나다달러 달러
A$ 호주달러 달러
NT$ 대만달러 달러
S$ 싱가포르달러 달러
฿ 바트
₹ 루피
₽ 루블
₫ 동
₿ 비트코인
元 위안
""")


# a word or a name in another case, or another unit: 5 KT, 3 MS, 5MV
_CASE_COUNTS = frozenset(
    [
        "in",
        "min",
        "kt",
        "hp",
        "pt",
        "ms",
        "mi",
        "ng",
        "nm",
        "ns",
        "Mt",
        "kN",
        "Pa",
        "lm",
        "lx",
        "hr",
        "mV",
        "mA",
        "MPa",
        "MJ",
        "mSv",
        "mol",
        "MWh",
        "sec",
        "gal",
    ]
)


def _other_cases() -> dict[str, str]:
    """Returns units in the cases that people write, 5KM and 5Km, with the unit; those that name two are in none."""
    units_of: dict[str, list[str]] = {}
    for unit in UNITS:
        is_word = unit.isascii() and len(unit) > 1 and unit.replace("/", "").isalpha()
        if not is_word or unit in _CASE_COUNTS:
            continue
        with_capitals = unit[0] + unit[1:].upper()
        forms = {unit.upper(), unit.lower(), unit.capitalize(), with_capitals}
        for form in forms - UNITS.keys():
            units_of.setdefault(form, []).append(unit)

    cases = {}
    for form, units in units_of.items():
        readings = {tuple(UNITS[unit]) for unit in units}
        if len(readings) == 1:
            cases[form] = units[0]
    return cases


CASES = _other_cases()
UNITS |= {form: UNITS[unit] for form, unit in CASES.items()}
UNIT_PREFIXES |= {form: UNIT_PREFIXES[unit] for form, unit in CASES.items() if unit in UNIT_PREFIXES}
